"""The ZooKeeper part of a support bundle: which files it is, what lands, what is a gap."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.bundles.bundle import open_bundle
from jobs.bundles.zookeeper.reader import collect_bundle, recognise
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.zookeeper.settings import Settings
from jobs.storage import open_storage

RECORDED = Path(__file__).parents[3] / "data/zookeeper"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle with the files of a 3.5.9 server, whose snapshots do not tell when they ended."""
    shutil.copytree(RECORDED / "data-folder-3.5.9/version-2", tmp_path / "bundle/zk/version-2")
    return tmp_path / "bundle"


def landed(folder: Path, connect: str = "zk:2181/k") -> tuple[Landing, dict[str, dict[str, Any]]]:
    target = folder.parent / "landing"
    target.mkdir()
    landing = Landing(open_storage(target), "zookeeper", Redactor(None))
    with open_bundle(folder) as bundle:
        (paths,) = bundle.find(lambda path, head: ["its"] * recognise(path, head)).values()
        collect_bundle(Settings(connect=connect), bundle, paths, landing)
    landing.flush()
    rows = pq.read_table(target / "znodes-0.parquet").to_pylist() if landing.counts["znodes"] else []
    return landing, {row["path"]: row for row in rows}


@pytest.mark.parametrize(
    ("path", "head", "is_one"),
    [
        ("zk/version-2/snapshot.1c", b"ZKSN\0\0\0\2", True),
        ("collected/snapshot.1c", b"ZKSN\0\0\0\2", True),
        ("zk/version-2/snapshot.1c", b"", True),
        ("zk/version-2/snapshot.1c.gz", b"\x1f\x8b", True),
        ("zk/version-2/snapshot.1c.snappy", b"\x82SNAPPY", True),
        ("zk/version-2/log.1d", b"ZKLG\0\0\0\2", True),
        ("dump.txt", b"WARNING: old\nZNode Details (count=24):\n----\n/\n", True),
        ("dump.json", b'[1,0,{"progname":"SnapshotFormatter.java","progver":"0.01"', True),
        ("collected/snapshot.1c", b"no snapshot of ZooKeeper's", False),
        ("orders-0/00000000000000000012.snapshot", b"\0\1", False),
        ("app/log.1", b"2026-11-21 INFO started", False),
        ("version-2/currentEpoch", b"1", False),
        ("notes.txt", b"of ZNode Details (count=24): see there", False),
    ],
)
def test_files_are_recognised_by_what_they_are(path: str, head: bytes, is_one: bool) -> None:
    assert recognise(path, head) == is_one


def test_the_cluster_lands_with_its_secrets_redacted_and_nothing_is_missing(folder: Path) -> None:
    landing, rows = landed(folder)
    assert (landing.gaps, landing.zxid, landing.unsettled) == ([], 0x37, None)
    assert rows["/brokers/topics/orders"]["version"] == 1
    assert (
        rows["/config/users/alice"]["data"]
        == '{"version":1,"config":{"SCRAM-SHA-256":"present,iterations=4096"}}'
    )
    assert not any(b"canary" in file.read_bytes() for file in (folder.parent / "landing").iterdir())


def test_a_tree_that_is_proven_to_be_of_one_moment_is_settled(tmp_path: Path) -> None:
    shutil.copytree(RECORDED / "data-folder-3.9.4/version-2", tmp_path / "bundle/version-2")
    landing, _ = landed(tmp_path / "bundle")
    assert (landing.gaps, landing.zxid, landing.unsettled) == ([], 0x35, 0)


def test_what_is_newer_than_the_last_known_transaction_is_a_gap_and_the_rest_lands(folder: Path) -> None:
    (folder / "zk/version-2/snapshot.1c").rename(folder / "zk/version-2/snapshot.15")
    for log in folder.rglob("log.*"):
        log.unlink()
    landing, rows = landed(folder, connect="zk:2181/k/brokers")
    assert {gap.scope: gap.reason for gap in landing.gaps} == {"/ids": "unsettled"}
    assert "after 0x15 shows in it" in landing.gaps[0].message
    assert "/topics/orders" in rows
    assert "/ids" not in rows
    assert (landing.zxid, landing.unsettled) == (0x15, 2)


def test_a_snapshot_that_proves_nothing_says_so(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    for log in folder.rglob("log.*"):
        log.unlink()
    landing, rows = landed(folder)
    assert (landing.gaps, landing.zxid, landing.unsettled) == ([], 0x1C, None)
    assert len(rows) == 19
    assert "nothing proves that the tree is of one moment" in caplog.text


def test_a_dump_lands_too(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    shutil.copy(RECORDED / "data-folder-3.8.4/SnapshotFormatter-d.txt", tmp_path / "bundle/zookeeper.txt")
    landing, rows = landed(tmp_path / "bundle")
    assert (landing.gaps, landing.zxid, landing.unsettled) == ([], 0x1B, None)
    assert rows["/brokers/topics/orders"]["data"] == '{"version":3,"partitions":{"0":[1],"1":[1]}}'


@pytest.mark.parametrize(("connect", "root"), [("zk:2181/kafka", "/kafka"), ("zk:2181", "/")])
def test_a_path_without_a_cluster_names_the_clusters_that_are_there(
    folder: Path, connect: str, root: str
) -> None:
    with pytest.raises(
        NotReadError, match=rf"no Kafka cluster at {root} in .* \(it holds Kafka clusters at /k\)"
    ) as caught:
        landed(folder, connect=connect)
    assert caught.value.reason == "missing"


def test_logs_alone_are_no_tree(folder: Path) -> None:
    for snapshot in folder.rglob("snapshot.*"):
        snapshot.unlink()
    with pytest.raises(NotReadError, match=r"no snapshot to begin with: add the newest snapshot"):
        landed(folder)


def test_a_broken_dump_is_named(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    shutil.copy(RECORDED / "data-folder-3.5.9/SnapshotFormatter.txt", tmp_path / "bundle/zookeeper.txt")
    with pytest.raises(NotReadError, match=r"zookeeper\.txt .* with -d"):
        landed(tmp_path / "bundle")
