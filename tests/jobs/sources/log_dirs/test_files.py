from pathlib import Path

import pytest

from jobs.sources.log_dirs.files import UnsettledFileError, read_file
from jobs.sources.log_dirs.replica import read_replica


def test_a_file_comes_with_the_time_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0\n0\n")
    file = read_file(str(tmp_path / "f"))
    assert file is not None
    assert file.content == b"0\n0\n"
    assert file.modified_ns == (tmp_path / "f").stat().st_mtime_ns


def test_no_file_is_none(tmp_path: Path) -> None:
    assert read_file(str(tmp_path / "f")) is None


def test_a_file_that_does_not_hold_what_its_size_says_is_unsettled() -> None:
    with pytest.raises(UnsettledFileError, match="changed while it was read, 3 times"):
        read_file("/proc/self/status")


def test_a_directory_that_vanished_is_no_error(tmp_path: Path) -> None:
    assert read_replica(str(tmp_path), "orders-3") is None
