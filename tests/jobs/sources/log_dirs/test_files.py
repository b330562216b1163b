import os
from pathlib import Path

import pytest

from jobs.errors import NotReadError
from jobs.sources.log_dirs.ways.files import read_file


def test_a_file_comes_with_the_time_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0\n0\n")
    file = read_file(str(tmp_path / "f"))
    assert file is not None
    assert file.content == b"0\n0\n"
    assert file.modified_ns == (tmp_path / "f").stat().st_mtime_ns


def test_no_file_is_none(tmp_path: Path) -> None:
    assert read_file(str(tmp_path / "f")) is None


def test_a_file_that_does_not_hold_what_its_size_says_is_unsettled() -> None:
    with pytest.raises(NotReadError, match="changed while it was read, 3 times"):
        read_file("/proc/self/status")


def test_a_file_larger_than_any_kafka_writes_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    with pytest.raises(NotReadError, match="f has 10 bytes; more than 9 are not read"):
        read_file(str(tmp_path / "f"), limit=9)


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f")
    file = read_file(str(tmp_path / "f"))
    assert file is not None
    assert file.content == b""
