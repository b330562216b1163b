import asyncio
import io
import tarfile
from collections.abc import Iterator

import pytest

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.read import Outcomes, read_roots
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.ways.archive import read_tar
from jobs.sources.log_dirs.ways.places import log_dirs_of, places
from jobs.sources.log_dirs.ways.tar import TarDisk

META = b"version=0\nbroker.id=1\n"
METADATA = b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw"


def member(name: str, content: bytes = b"", **header: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(content), 1_800_000_000
    for key, value in header.items():
        setattr(info, key, value)
    return info, content


def stream(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode, format=tarfile.PAX_FORMAT) as tar:  # type: ignore[call-overload]
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return written.getvalue()


def read(content: bytes, *paths: str, max_bytes: int = 1 << 20) -> Outcomes:
    """What each path turned out to be. Raises NotReadError where the stream is not whole."""
    entry = {"broker": 1, "archive": "/unused", "paths": list(paths or ("/k/d0",))}
    settings = Settings(brokers=[entry], max_bytes=max_bytes, max_snapshot_bytes=1000)  # type: ignore[list-item]
    disk = read_tar(io.BytesIO(content), settings, Budget(max_bytes, 1000))
    return asyncio.run(_read(disk, list(paths or ("/k/d0",)), settings))


async def _read(disk: TarDisk, paths: list[str], settings: Settings) -> Outcomes:
    roots = places(paths, await log_dirs_of(disk), "the stream")
    return await read_roots(1, roots, disk, settings)


def only(content: bytes) -> LogDirFiles:
    (found,) = read(content).values()
    assert isinstance(found, LogDirFiles)
    return found


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_stream_is_read_whatever_its_compression(mode: str) -> None:
    found = only(
        stream(member("d0/meta.properties", META), member("d0/a-0/partition.metadata", METADATA), mode=mode)
    )
    assert found.path == "/k/d0"
    assert [replica.dir_name for replica in found.replicas] == ["a-0"]
    metadata = found.replicas[0].metadata
    assert metadata is not None
    assert (metadata.content, metadata.modified_ns) == (METADATA, 1_800_000_000_000_000_000)
    assert found.replicas[0].log_bytes is None


@pytest.mark.parametrize(
    "prefix", ["", "./", "/", "d0/", "./d0/", "k/d0/", "/k/d0/", "bundle/of/k/d0/", "broker-4/d0/"]
)
def test_a_log_dir_is_found_whatever_stands_before_it(prefix: str) -> None:
    found = only(
        stream(member(f"{prefix}meta.properties", META), member(f"{prefix}a-0", type=tarfile.DIRTYPE))
    )
    assert "meta.properties" in found.files
    assert [replica.dir_name for replica in found.replicas] == ["a-0"]


def test_two_log_dirs_are_told_apart_by_their_paths() -> None:
    content = stream(member("x/d0/meta.properties", b"0"), member("y/d0/meta.properties", b"1"))
    found = read(content, "/x/d0", "/y/d0")
    assert {path: log_dir.files["meta.properties"].content for path, log_dir in found.items()} == {  # type: ignore[union-attr]
        "/x/d0": b"0",
        "/y/d0": b"1",
    }


def test_a_folder_that_could_be_either_of_two_log_dirs_is_neither() -> None:
    found = read(stream(member("d0/meta.properties")), "/x/d0", "/y/d0")
    assert {path: str(why) for path, why in found.items()} == {
        path: f"Not exactly one log dir in the stream can be {path}: it holds log dirs at d0; "
        "compare them with `paths`."
        for path in ("/x/d0", "/y/d0")
    }


def test_a_log_dir_that_is_not_in_the_stream_is_missing() -> None:
    why = read(stream(member("elsewhere/meta.properties")))["/k/d0"]
    assert isinstance(why, NotReadError)
    assert why.reason == "missing"


def test_a_folder_of_brokers_is_no_log_dir_though_their_names_look_like_replicas() -> None:
    found = only(
        stream(member("broker-1", type=tarfile.DIRTYPE), member("broker-1/d0/meta.properties", META))
    )
    assert found.replicas == []


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_a_link_or_a_device_in_the_place_of_a_file_is_refused_and_told(kind: bytes) -> None:
    found = only(
        stream(
            member("d0/a-0/partition.metadata", METADATA),
            member("d0/b-0/partition.metadata", type=kind, linkname="/etc/passwd"),
            member("d0/meta.properties", type=kind, linkname="/etc/passwd"),
        )
    )
    assert [replica.dir_name for replica in found.replicas] == ["a-0"]
    assert str(found.unread["b-0"]) == (
        "d0/b-0/partition.metadata is a link or a device, and only plain files are read: put what it stands for in "
        "its place (tar -h)."
    )
    assert isinstance(found.files["meta.properties"], NotReadError)


def test_a_link_in_the_place_of_a_replica_is_refused_and_told() -> None:
    link = member("d0/a-0", type=tarfile.SYMTYPE, linkname="/elsewhere")
    found = only(stream(member("d0/meta.properties", META), link))
    assert list(found.unread) == ["a-0"]


def test_a_member_that_points_out_of_the_stream_is_passed_over() -> None:
    outside = member("d0/../d0/a-0/partition.metadata", METADATA)
    assert only(stream(member("d0/meta.properties", META), outside)).replicas == []


def test_an_oversize_file_is_refused_and_told() -> None:
    name = "d0/__cluster_metadata-0/00000000000000000007-0000000001.checkpoint"
    found = only(stream(member("d0/meta.properties", META), member(name, b"x" * 1001)))
    assert found.newest_checkpoint is not None
    assert "has 1001 bytes; more than 1000 are not read" in str(found.newest_checkpoint[1])


def test_the_newest_finished_metadata_checkpoint_is_handed_over_and_all_are_named() -> None:
    log = "d0/__cluster_metadata-0"
    names = [
        "00000000000000000009-0000000001.checkpoint",
        "00000000000000000012-0000000003.checkpoint.part",
        "00000000000000000007-0000000002.checkpoint",
    ]
    found = only(
        stream(
            member("d0/meta.properties", META), *(member(f"{log}/{name}", name.encode()) for name in names)
        )
    )
    assert found.checkpoint_names == sorted(names)
    assert found.newest_checkpoint is not None
    assert found.newest_checkpoint[0] == names[0]
    assert found.newest_checkpoint[1].content == names[0].encode()  # type: ignore[union-attr]


def test_segments_are_passed_over_and_producer_snapshots_known_by_name_and_size() -> None:
    found = only(
        stream(
            member("d0/meta.properties", META),
            member("d0/a-0/00000000000000000000.log", b"x" * 4096),
            member("d0/a-0/00000000000000000007.snapshot", b"x" * 56),
            member("d0/a-0/00000000000000000003.snapshot", b"x" * 10),
        )
    )
    assert found.replicas[0].producer_snapshot == ("00000000000000000007.snapshot", 56)


def test_what_is_not_sent_is_bounded_too() -> None:
    content = stream(
        member("d0/meta.properties", META), member("d0/a-0/00000000000000000000.log", b"x" * 9000)
    )
    with pytest.raises(NotReadError, match="more to read than 8000 bytes: let only the small files be read"):
        read(content, max_bytes=8000)


def cut_off() -> Iterator[bytes]:
    whole = stream(member("d0/meta.properties", META), member("d0/a-0/partition.metadata", METADATA))
    yield b""
    yield whole[:100]
    yield whole[:600]
    yield whole[:1024]
    yield whole[:1500]
    yield whole[:2048]
    yield stream(member("d0/meta.properties", META), mode="w:gz")[:-60]
    yield stream(member("d0/meta.properties", META), mode="w:xz")[:-90]


@pytest.mark.parametrize("content", cut_off(), ids=len)
def test_a_stream_that_was_cut_off_is_not_taken_for_a_whole_one(content: bytes) -> None:
    with pytest.raises(NotReadError, match="It is no whole tar stream"):
        read(content)


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"\x1f\x8b garbage", bytes(512) + b"x"])
def test_what_is_no_tar_stream_is_no_crash(content: bytes) -> None:
    try:
        (why,) = read(content).values()
    except NotReadError as error:
        why = error
    assert isinstance(why, NotReadError)


def test_a_broken_header_is_not_taken_for_the_end() -> None:
    whole = bytearray(
        stream(member("d0/meta.properties", META), member("d0/a-0/partition.metadata", METADATA))
    )
    whole[1024:1034] = b"corrupted!"
    with pytest.raises(NotReadError, match="a header is broken"):
        read(bytes(whole))


def test_a_name_of_more_than_a_megabyte_is_not_read_into_memory() -> None:
    long = member("d0/meta.properties")[0]
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 5 << 30
    with pytest.raises(NotReadError, match="a name of 5368709120 bytes"):
        read(long.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))


def test_a_hostile_name_is_data() -> None:
    found = only(
        stream(member("d0/meta.properties", META), member("d0/\x1b[31m-0/partition.metadata", METADATA))
    )
    assert [replica.dir_name for replica in found.replicas] == ["\x1b[31m-0"]


@pytest.mark.parametrize(
    "said",
    [
        {"mtime": "nan"},
        {"mtime": "inf"},
        {"GNU.sparse.map": "0,1", "GNU.sparse.size": "many"},
    ],
)
def test_a_header_that_says_no_number_where_one_belongs_breaks_the_stream(said: dict[str, str]) -> None:
    with pytest.raises(NotReadError, match=r"no whole tar stream.*\(a header is broken\)"):
        read(stream(member("d0/meta.properties", META, pax_headers=said)))


def test_headers_for_headers_without_end_break_the_stream() -> None:
    one = stream(member("././@LongLink", b"x\0", type=tarfile.GNUTYPE_LONGNAME))[:1024]
    with pytest.raises(NotReadError, match="a header is broken"):
        read(one * 3000, max_bytes=1 << 23)


def sparse(name: str, size: int) -> tuple[tarfile.TarInfo, bytes]:
    """A member of one byte and holes."""
    return member(name, b"x", pax_headers={"GNU.sparse.map": "0,1", "GNU.sparse.size": str(size)})


def test_holes_count_as_bytes_that_are_read() -> None:
    whole = only(stream(sparse("d0/meta.properties", 1000)))
    assert whole.files["meta.properties"].content == b"x" + b"\0" * 999  # type: ignore[union-attr]
    with pytest.raises(NotReadError, match="more to read than 1048576 bytes"):
        read(stream(*(sparse(f"d0/a-{number}/partition.metadata", 1 << 19) for number in range(3))))


def test_the_holes_of_what_is_not_read_do_not_count() -> None:
    found = only(stream(member("d0/meta.properties", META), sparse("d0/a-0/0.index", 10 << 20)))
    assert "meta.properties" in found.files


def test_a_second_tar_behind_the_first_is_refused_and_not_taken_for_nothing() -> None:
    first = stream(member("d0/meta.properties", META), member("d0/a-0/partition.metadata", METADATA))
    with pytest.raises(NotReadError, match="it goes on after its end: send one tar, not several"):
        read(first + stream(member("d0/b-0/partition.metadata", METADATA)))
    assert read(first + b"\0" * 100_000)


def test_many_checkpoints_of_the_metadata_log_take_time_by_their_number_and_not_its_square() -> None:
    names = [f"d0/__cluster_metadata-0/{number:020d}-0000000001.checkpoint" for number in range(30_000)]
    content = stream(member("d0/meta.properties", META), *(member(name, name.encode()) for name in names))
    (found,) = read(content, max_bytes=1 << 30).values()
    assert isinstance(found, LogDirFiles)
    assert found.newest_checkpoint is not None
    assert found.newest_checkpoint[0] == "00000000000000029999-0000000001.checkpoint"


def test_a_path_deeper_than_any_broker_s_is_refused() -> None:
    with pytest.raises(NotReadError, match="It holds a path of more than 100 directories: look at it"):
        read(stream(member("a/" * 500 + "meta.properties", META)))


def test_names_that_are_no_utf8_are_told_with_escapes() -> None:
    log = "caf\udce9/d0/__cluster_metadata-0"
    found = only(
        stream(
            member("caf\udce9/d0/meta.properties", META),
            member(f"{log}/\udce9.checkpoint", b""),
            member(f"{log}/00000000000000000007-0000000001.checkpoint", b"x" * 1001),
        )
    )
    assert found.checkpoint_names[1] == "\\xe9.checkpoint"
    assert found.newest_checkpoint is not None
    assert str(found.newest_checkpoint[1]).startswith("caf\\xe9/d0/__cluster_metadata-0/0000")


def test_a_link_below_a_name_that_is_no_utf8_is_told_with_escapes() -> None:
    link = member("caf\udce9/d0/a-0", type=tarfile.SYMTYPE, linkname="/elsewhere")
    found = only(stream(member("caf\udce9/d0/meta.properties", META), link))
    assert str(found.unread["a-0"]).startswith("caf\\xe9/d0/a-0 is a link or a device")
