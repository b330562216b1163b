import errno
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.read import Outcomes, read_log_dirs
from jobs.sources.log_dirs.settings import Settings

RECORDED = Path(__file__).parents[3] / "data/log_dirs/kraft-3.9.1"


def read(archive: Path, *paths: str) -> Outcomes:
    settings = Settings.model_validate([{"broker": 1, "archive": archive, "paths": list(paths)}])
    return read_log_dirs(settings.brokers[0], settings)


def names(found: LogDirFiles | NotReadError) -> set[str]:
    assert isinstance(found, LogDirFiles)
    return {replica.dir_name for replica in found.replicas}


def test_a_tar_file_of_two_log_dirs(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        tar.add(RECORDED, "broker-1")
    found = read(tmp_path / "b.tar.gz", "/k/broker-1-d0", "/k/broker-1-d1")
    assert names(found["/k/broker-1-d0"]) == {
        "__cluster_metadata-0",
        "compacted-0",
        "compacted-1",
        "orders-3",
    }
    assert names(found["/k/broker-1-d1"]) == {"orders-0", "orders-1", "orders-2"}


def test_a_folder_of_two_log_dirs_tells_the_same_as_its_tar(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        tar.add(RECORDED, "")
    paths = ("/k/broker-1-d0", "/k/broker-1-d1")
    for from_folder, from_tar in zip(
        read(RECORDED, *paths).values(), read(tmp_path / "b.tar", *paths).values(), strict=True
    ):
        assert isinstance(from_folder, LogDirFiles)
        assert isinstance(from_tar, LogDirFiles)
        assert names(from_folder) == names(from_tar)
        assert {name: file.content for name, file in from_folder.files.items()} == {  # type: ignore[union-attr]
            name: file.content  # type: ignore[union-attr]
            for name, file in from_tar.files.items()
        }


def test_a_folder_that_is_the_one_log_dir_itself() -> None:
    assert "orders-3" in names(read(RECORDED / "broker-1-d0", "/k/d7")["/k/d7"])


def test_a_folder_that_a_log_dir_refuses_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(RECORDED, tmp_path / "copy")
    (copy / "broker-1-d0/lost+found").mkdir()
    scandir = os.scandir

    def refusing(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("lost+found"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = read(copy, "/k/broker-1-d0", "/k/broker-1-d1")
    assert "orders-3" in names(found["/k/broker-1-d0"])
    assert "orders-0" in names(found["/k/broker-1-d1"])


def test_a_folder_says_nothing_of_the_room_on_the_broker_s_disk() -> None:
    found = read(RECORDED / "broker-1-d0", "/k/d7")["/k/d7"]
    assert isinstance(found, LogDirFiles)
    assert (found.total_bytes, found.free_bytes) == (None, None)


def test_a_link_in_a_folder_is_not_followed_and_told(tmp_path: Path) -> None:
    d0 = shutil.copytree(RECORDED / "broker-1-d0", tmp_path / "d0")
    (d0 / "orders-3/partition.metadata").unlink()
    (d0 / "orders-3/partition.metadata").symlink_to("/etc/passwd")
    (d0 / "elsewhere-0").symlink_to(d0 / "compacted-0")
    found = read(tmp_path, "/k/d0")["/k/d0"]
    assert isinstance(found, LogDirFiles)
    assert names(found) == {"__cluster_metadata-0", "compacted-0", "compacted-1"}
    assert set(found.unread) == {"orders-3", "elsewhere-0"}


def test_a_log_dir_that_the_folder_does_not_hold_is_missing() -> None:
    assert str(read(RECORDED, "/k/d7")["/k/d7"]) == (
        f"Not exactly one log dir in the archive {RECORDED} can be /k/d7: it holds log dirs at broker-1-d0, "
        "broker-1-d1, controller-100; compare them with `paths`."
    )


def test_an_archive_that_is_not_there(tmp_path: Path) -> None:
    why = read(tmp_path / "gone.tar", "/k/d0")["/k/d0"]
    assert isinstance(why, NotReadError)
    assert str(why).startswith(f"There is no archive {tmp_path}/gone.tar: check the path")
    assert why.reason == "missing"
