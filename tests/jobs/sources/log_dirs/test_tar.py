import tarfile

import pytest

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles
from tests.jobs.sources.log_dirs.tar_streams import META, METADATA, member, only, read, stream


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
