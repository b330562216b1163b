"""`varve import` of bundles made from real clusters: the same rows as a live snapshot, and the same twice."""

import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from jobs.lab.distribution import quorum_replication, quorum_status
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.lake.layout import landing_folder
from jobs.landing.collect import collect
from jobs.settings import Settings, load_settings

Sql = Callable[[Path, str], list[dict[str, Any]]]

AT, LATER = "20261121T000000Z", "20261121T001000Z"


def configure(home: Path, entry: dict[str, Any]) -> Settings:
    (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "./lake", "clusters": [entry]}))
    return load_settings(home / "varve.yaml")


def znodes(settings: Settings, snapshot_id: str) -> dict[str, dict[str, Any]]:
    folder = settings.lake / landing_folder("orders", "zookeeper", snapshot_id)
    return {row["path"]: row for row in pq.read_table(folder / "znodes-0.parquet").to_pylist()}


def files_of(home: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (home / "lake").rglob("*") if path.is_file()}


def tar(target: Path, **parts: Path) -> Path:
    with tarfile.open(target, "w:gz") as archive:
        for name, path in parts.items():
            archive.add(path, f"case/{name}")
    return target


@pytest.mark.parametrize("version", [pytest.param("2.8.2", marks=pytest.mark.versions), "3.9.1"])
def test_a_stopped_server_says_what_the_living_one_did(
    version: str, tmp_path: Path, varve: Any, sql: Sql
) -> None:
    with ZooKeeperCluster(tmp_path / "cluster", brokers=1, version=version) as cluster:
        create_topic(cluster.bootstrap_servers, "invoices", [[1], [1]])
        cluster.wait_until_in_sync()
        settings = configure(tmp_path, cluster.settings("orders"))
        live = collect(settings, "orders", "zookeeper", LATER)
        cluster.zookeeper.jvm.kill()
    bundle = tar(
        tmp_path / "case.tar.gz", zk=tmp_path / "cluster/zookeeper/data", b1=tmp_path / "cluster/broker-1"
    )
    told = varve(tmp_path, "import", str(bundle), "--cluster", "orders", "--at", AT)
    assert told.code == 0, told.all
    assert live.zxid is not None
    assert znodes(settings, AT) == znodes(settings, LATER)
    assert "zookeeper of orders landed as 20261121T000000Z" in told.out
    assert sql(tmp_path, "SELECT topic, partition, leader FROM partitions ORDER BY ALL") == [
        {"topic": "invoices", "partition": 0, "leader": 1},
        {"topic": "invoices", "partition": 1, "leader": 1},
    ]
    assert len(sql(tmp_path, "SELECT * FROM disk_replicas WHERE topic = 'invoices' AND broker_id = 1")) == 2


@pytest.fixture(scope="module")
def kraft_case(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home with settings, and a bundle of a KRaft cluster: the quorum's outputs and all log dirs but broker 2's."""
    home = tmp_path_factory.mktemp("kraft")
    with KRaftCluster(home / "cluster", controllers=2) as cluster:
        create_topic(cluster.bootstrap_servers, "invoices", [[1, 2], [2, 1]])
        produce(cluster.bootstrap_servers, "invoices")
        (home / "status.txt").write_text(quorum_status(cluster.version, cluster.bootstrap_controllers))
        (home / "replication.txt").write_text(
            quorum_replication(cluster.version, cluster.bootstrap_controllers)
        )
        configure(home, cluster.settings("orders"))
    parts = {name: home / "cluster" / name for name in ("broker-1", "controller-101", "controller-102")}
    outputs = {name: home / name for name in ("status.txt", "replication.txt")}
    return home, tar(home / "case.tar.gz", **parts, **outputs)


def test_a_bundle_of_a_kraft_cluster_becomes_tables_and_gaps(
    kraft_case: tuple[Path, Path], varve_here: Any, sql: Sql
) -> None:
    home, bundle = kraft_case
    varve_here(home, "import", str(bundle), "--cluster", "orders", "--at", "2026-11-21T00:00")
    assert sql(home, "SELECT leader_id FROM quorum") == [{"leader_id": 101}]
    assert sql(home, "SELECT node_id, role FROM quorum_members ORDER BY ALL") == [
        {"node_id": 1, "role": "observer"},
        {"node_id": 2, "role": "observer"},
        {"node_id": 101, "role": "voter"},
        {"node_id": 102, "role": "observer"},
    ]
    members = (
        "SELECT m.node_id FROM quorum_members m JOIN log_dirs d USING (node_id, directory_id) ORDER BY ALL"
    )
    assert [row["node_id"] for row in sql(home, members)] == [1, 101, 102]
    replicas = sql(
        home, "SELECT broker_id, dir_name FROM disk_replicas WHERE topic = 'invoices' ORDER BY ALL"
    )
    assert replicas == [
        {"broker_id": 1, "dir_name": "invoices-0"},
        {"broker_id": 1, "dir_name": "invoices-1"},
    ]
    gaps = sql(home, "SELECT source, scope FROM coverage_gaps")
    assert {"source": "log_dirs", "scope": f"/2{home}/cluster/broker-2/d0"} in gaps
    assert {"source": "kafka", "scope": "/topics"} in gaps
    (snapshot,) = sql(home, "SELECT snapshot_id, captured_at FROM snapshots")
    assert snapshot == {"snapshot_id": AT, "captured_at": "2026-11-21T00:00:00Z"}


def test_the_same_bundle_again_changes_nothing(kraft_case: tuple[Path, Path], varve_here: Any) -> None:
    home, bundle = kraft_case
    before = files_of(home)
    out = varve_here(home, "import", str(bundle), "--cluster", "orders", "--at", "2026-11-21T00:00")
    assert "there already: nothing was changed" in out
    assert files_of(home) == before


def test_a_later_bundle_with_less_in_it_deletes_nothing(
    kraft_case: tuple[Path, Path], varve_here: Any, sql: Sql
) -> None:
    home, _ = kraft_case
    bundle = tar(home / "less.tar.gz", status=home / "status.txt")
    varve_here(home, "import", str(bundle), "--cluster", "orders", "--at", LATER)
    assert len(sql(home, "SELECT * FROM disk_replicas WHERE topic = 'invoices'")) == 2
    assert sql(home, "SELECT * FROM events") == []
