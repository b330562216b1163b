"""Streams that were cut off, are no tar, or hold what no tar of a broker holds."""

import tarfile
from collections.abc import Iterator

import pytest

from jobs.errors import NotReadError
from tests.jobs.sources.log_dirs.tar_streams import META, METADATA, member, only, read, stream


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
