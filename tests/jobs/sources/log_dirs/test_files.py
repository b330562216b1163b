import asyncio
import os
from pathlib import Path

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import MAX_FILE_BYTES, File
from jobs.sources.log_dirs.files import read_file
from jobs.sources.log_dirs.ways.local import LocalDisk


def read(path: Path, limit: int = MAX_FILE_BYTES) -> File | NotReadError:
    return asyncio.run(read_file(LocalDisk(), str(path), limit))


def test_a_file_comes_with_the_time_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0\n0\n")
    file = read(tmp_path / "f")
    assert isinstance(file, File)
    assert file.content == b"0\n0\n"
    assert file.modified_ns == (tmp_path / "f").stat().st_mtime_ns


def test_a_file_that_does_not_hold_what_its_size_says_is_unsettled() -> None:
    why = read(Path("/proc/self/status"))
    assert isinstance(why, NotReadError)
    assert why.reason == "unsettled"
    assert "changed while it was read, 3 times" in str(why)


def test_a_file_larger_than_any_kafka_writes_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    assert "f has 10 bytes; more than 9 are not read" in str(read(tmp_path / "f", limit=9))


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f")
    assert str(read(tmp_path / "f")).startswith(f"{tmp_path}/f is a link or a device")
