"""Restoring a tree from a real server's files, with all of them and with some missing or broken.

`live.json` is what Varve read from the server itself before it was killed.
"""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from jobs.bundles.bundle import open_bundle
from jobs.bundles.zookeeper.data_folder import Restored, data_folder, restore
from jobs.bundles.zookeeper.data_tree import DataTree
from jobs.errors import NotReadError
from jobs.secrets import Redactor
from jobs.sources.zookeeper.znodes import znode_table

RECORDED = Path(__file__).parents[3] / "data/zookeeper"
VERSIONS = ("3.5.9", "3.6.3", "3.8.4", "3.9.4")


def restored(folder: Path) -> Restored:
    with open_bundle(folder) as bundle:
        found = bundle.find(lambda path, _: [path.rpartition("/")[2].split(".")[0]])
        return restore(bundle, data_folder(found["snapshot"], found.get("log", [])))


def rows(tree: DataTree, chroot: str = "/k") -> list[dict[str, Any]]:
    fingerprint = Redactor("k").fingerprint
    znodes = ((path[len(chroot) :] or "/", znode.read()) for path, znode in tree.below(chroot))
    found = znode_table(znodes, fingerprint).to_pylist()
    told: list[dict[str, Any]] = json.loads(
        json.dumps(sorted(found, key=lambda row: row["path"]), default=str)
    )
    return told


def live(version: str, name: str = "live.json") -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads((RECORDED / f"data-folder-{version}" / name).read_text())["rows"]
    return told


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A copy of the 3.9.4 server's files: snapshots 0 and 1b, logs 1 to 1b and 1c to 35."""
    shutil.copytree(RECORDED / "data-folder-3.9.4/version-2", tmp_path / "version-2")
    return tmp_path / "version-2"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tree_is_the_one_that_clients_read(version: str) -> None:
    found = restored(RECORDED / f"data-folder-{version}")
    assert rows(found.tree) == live(version)
    assert found.is_exact == (version != "3.5.9")  # whose snapshots do not tell when their writing ended


@pytest.mark.parametrize("version", VERSIONS)
def test_so_it_is_from_the_first_snapshot_and_all_logs(version: str, tmp_path: Path) -> None:
    shutil.copytree(RECORDED / f"data-folder-{version}", tmp_path, dirs_exist_ok=True)
    (newest,) = (tmp_path / "version-2").glob("snapshot.1?")
    newest.unlink()
    assert rows(restored(tmp_path).tree) == live(version)


@pytest.mark.parametrize("begun_at", range(1, 0x1B))
def test_so_it_is_whenever_the_snapshot_was_begun_and_however_long_its_writing_took(
    files: Path, begun_at: int
) -> None:
    """What the server had written at 1b stands for a snapshot that was begun earlier and saw everything since."""
    (files / "snapshot.1b").rename(files / f"snapshot.{begun_at:x}")
    found = restored(files.parent)
    assert rows(found.tree) == live("3.9.4")
    assert found.is_exact


def test_without_logs_it_is_the_tree_of_the_snapshot_which_tells_when_it_ended(files: Path) -> None:
    for log in files.glob("log.*"):
        log.unlink()
    found = restored(files.parent)
    assert (found.zxid, found.is_exact) == (0x1B, True)
    assert rows(found.tree) == live("3.9.4", "live-at-snapshot.1b.json")


def test_a_snapshot_of_3_5_alone_proves_nothing(tmp_path: Path) -> None:
    shutil.copytree(RECORDED / "data-folder-3.5.9", tmp_path, dirs_exist_ok=True)
    for log in (tmp_path / "version-2").glob("log.*"):
        log.unlink()
    found = restored(tmp_path)
    assert (found.zxid, found.is_exact) == (0x1C, False)


def test_a_snapshot_that_ended_after_the_last_log_is_not_exact(files: Path) -> None:
    (files / "snapshot.1b").rename(files / "snapshot.5")
    for log in files.glob("log.*"):
        log.unlink()
    found = restored(files.parent)
    assert (found.zxid, found.is_exact) == (5, False)


def test_a_log_cut_at_its_end_is_legal(files: Path) -> None:
    whole = (files / "log.1c").read_bytes().rstrip(b"\0")
    (files / "log.1c").write_bytes(whole[:-20])
    found = restored(files.parent)
    assert (found.zxid, found.is_exact) == (0x34, True)


def test_logs_that_were_copied_before_the_snapshot_ended_prove_nothing(files: Path) -> None:
    (files / "snapshot.1b").rename(files / "snapshot.5")
    (files / "log.1c").unlink()
    log = files / "log.1"
    log.write_bytes(log.read_bytes().rstrip(b"\0")[:-20])
    found = restored(files.parent)
    assert (found.zxid, found.is_exact) == (0x1A, False)


def test_a_missing_log_ends_what_is_known(files: Path, caplog: pytest.LogCaptureFixture) -> None:
    (files / "snapshot.1b").rename(files / "snapshot.5")
    (files / "log.1").unlink()
    found = restored(files.parent)
    assert (found.zxid, found.is_exact) == (5, False)
    assert "between 0x5 and version-2/log.1c are missing" in caplog.text


def test_a_broken_log_ends_what_is_known(files: Path, caplog: pytest.LogCaptureFixture) -> None:
    (files / "snapshot.1b").rename(files / "snapshot.5")
    whole = (files / "log.1").read_bytes()
    (files / "log.1").write_bytes(whole[:1200] + b"?" + whole[1201:])
    found = restored(files.parent)
    assert 5 < found.zxid < 0x1B
    assert not found.is_exact
    assert "the checksum of a transaction is wrong" in caplog.text


def test_a_broken_snapshot_gives_way_to_an_older_one(files: Path, caplog: pytest.LogCaptureFixture) -> None:
    (files / "snapshot.1b").write_bytes((files / "snapshot.1b").read_bytes()[:-70])
    assert rows(restored(files.parent).tree) == live("3.9.4")
    assert "snapshot.1b cannot be read, an older snapshot may" in caplog.text


def test_an_empty_snapshot_that_a_crash_left_gives_way_too(files: Path) -> None:
    (files / "snapshot.30").touch()
    assert rows(restored(files.parent).tree) == live("3.9.4")


def test_no_whole_snapshot_is_an_error_that_says_what_to_do(files: Path) -> None:
    for snapshot in files.glob("snapshot.*"):
        snapshot.write_bytes(b"ZKSN")
    with pytest.raises(NotReadError, match=r"snapshot\.0: it ends in the middle.*copy the newest snapshot"):
        restored(files.parent)


def test_a_snapshot_compressed_by_gzip_is_read(files: Path) -> None:
    (files / "snapshot.1b.gz").write_bytes(gzip.compress((files / "snapshot.1b").read_bytes()))
    (files / "snapshot.1b").unlink()
    assert rows(restored(files.parent).tree) == live("3.9.4")


@pytest.mark.parametrize(
    ("name", "said"), [("snapshot.1b.snappy", "snappy: unpack it first"), ("snapshot.1b.gz", "no whole gzip")]
)
def test_one_that_cannot_be_unpacked_is_said(files: Path, name: str, said: str) -> None:
    for snapshot in files.glob("snapshot.*"):
        snapshot.unlink()
    (files / name).write_bytes(gzip.compress(b"ZKSN" * 999)[:-9])
    with pytest.raises(NotReadError, match=said):
        restored(files.parent)


def test_of_an_ensemble_the_server_written_to_last_is_taken_with_its_own_logs(tmp_path: Path) -> None:
    for server, version in (("zk1", "3.8.4"), ("zk2", "3.5.9")):
        shutil.copytree(RECORDED / f"data-folder-{version}/version-2", tmp_path / server / "version-2")
    assert rows(restored(tmp_path).tree) == live("3.5.9")


def test_logs_in_a_folder_of_their_own_are_found(files: Path) -> None:
    own = files.parent / "datalog/version-2"
    own.mkdir(parents=True)
    for log in files.glob("log.*"):
        log.rename(own / log.name)
    assert rows(restored(files.parent).tree) == live("3.9.4")
