"""The command line on a real cluster when things are wrong: it says what, where and what to do, and deletes nothing."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jobs.lab.ports import free_port
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster

HEALTHY, PARTIAL = "20261121T140000Z", "20261121T141000Z"


@pytest.fixture(scope="module")
def entry(zookeeper_cluster: ZooKeeperCluster, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A cluster's settings with copies of the real log dirs, which can be spoilt."""
    create_topic(zookeeper_cluster.bootstrap_servers, "invoices", [[1, 2, 3], [2, 3, 1]])
    produce(zookeeper_cluster.bootstrap_servers, "invoices")
    zookeeper_cluster.wait_until_in_sync()
    settings = zookeeper_cluster.settings("orders")
    disks = tmp_path_factory.mktemp("disks")
    for broker in settings["log_dirs"]:
        copies = [disks / f"{broker['broker']}-{n}" for n in range(len(broker["local"]))]
        for original, copy in zip(broker["local"], copies, strict=True):
            shutil.copytree(original, copy)
        broker["local"] = [str(copy) for copy in copies]
    return settings


@pytest.fixture(scope="module")
def home(varve_here: Any, entry: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a healthy snapshot and, after that, one of a cluster that could be read only in part."""
    home = tmp_path_factory.mktemp("home")
    _write(home, entry)
    varve_here(home, "snapshot", "orders", "--snapshot-id", HEALTHY)
    return home


@pytest.fixture(scope="module")
def partial(varve: Any, home: Path, entry: dict[str, Any]) -> Any:
    spoilt = json.loads(json.dumps(entry))
    spoilt["zookeeper"]["connect"] = f"127.0.0.1:{free_port()}/kafka_cluster_01"
    _replica(spoilt, "invoices-0").joinpath("partition.metadata").write_bytes(b"\x00garbage\n")
    gone = Path(spoilt["log_dirs"][2]["local"][1])
    gone.rename(gone.with_name("unmounted"))
    _write(home, spoilt)
    told = varve(home, "snapshot", "orders", "--snapshot-id", PARTIAL)
    assert told.code == 0, told.all
    return told


@pytest.fixture(scope="module")
def ask(sql: Any, home: Path) -> Callable[[str], list[dict[str, Any]]]:
    return lambda query: sql(home, query)


def test_a_healthy_snapshot_is_complete_and_finds_nothing_above_info(ask: Any) -> None:
    assert ask(f"SELECT status FROM snapshots WHERE snapshot_id = '{HEALTHY}'") == [{"status": "complete"}]
    then = "(SELECT min(captured_at) FROM snapshots)"
    assert ask(f"SELECT check_id, subject FROM findings_at({then}) WHERE severity <> 'info'") == []


def test_a_partial_snapshot_says_what_was_not_seen(partial: Any, entry: dict[str, Any], ask: Any) -> None:
    gaps = ask(
        f"SELECT source, scope, reason, message FROM coverage_gaps WHERE snapshot_id = '{PARTIAL}' ORDER BY 1"
    )
    gone = entry["log_dirs"][2]["local"][1]
    assert [(gap["source"], gap["scope"], gap["reason"]) for gap in gaps] == [
        ("log_dirs", f"/3{gone}", "missing"),
        ("zookeeper", "/", "unreachable"),
    ]
    assert gone in gaps[0]["message"]
    assert "127.0.0.1:" in gaps[1]["message"]
    assert "unreachable" in partial.all
    assert "missing" in partial.all


@pytest.mark.usefixtures("partial")
def test_what_was_not_seen_stays_and_says_so(ask: Any, entry: dict[str, Any]) -> None:
    assert ask("SELECT broker_id, is_current FROM brokers ORDER BY 1") == [
        {"broker_id": broker, "is_current": False} for broker in (1, 2, 3)
    ]
    assert ask("SELECT count(*) AS n FROM events WHERE event IN ('broker-left', 'topic-deleted')") == [
        {"n": 0}
    ]
    gone = entry["log_dirs"][2]["local"][1]
    assert ask(f"SELECT bool_or(is_current) AS seen FROM disk_replicas WHERE path = '{gone}'") == [
        {"seen": False}
    ]
    assert ask(
        "SELECT count(*) AS deleted FROM disk_replicas_history WHERE valid_to IS NOT NULL AND problem IS NOT NULL"
    ) == [{"deleted": 0}]


@pytest.mark.usefixtures("partial")
def test_a_garbage_partition_metadata_is_a_row_with_a_problem(ask: Any) -> None:
    (row,) = ask("SELECT dir_name, topic_id, problem FROM disk_replicas WHERE problem IS NOT NULL")
    assert (row["dir_name"], row["topic_id"]) == ("invoices-0", None)
    assert "partition.metadata" in row["problem"]


@pytest.mark.usefixtures("partial")
def test_status_says_partial_and_names_what_was_not_seen(varve: Any, home: Path) -> None:
    told = varve(home, "status", "--format", "json")
    assert told.code == 0
    (orders,) = json.loads(told.out)
    assert orders["status"] == "partial"
    assert "zookeeper / (unreachable)" in orders["not_seen"]


def test_when_nothing_can_be_read_the_snapshot_fails(varve: Any, tmp_path: Path) -> None:
    _write(tmp_path, {"name": "orders", "zookeeper": {"connect": f"127.0.0.1:{free_port()}", "timeout_s": 3}})
    told = varve(tmp_path, "snapshot", "orders")
    assert told.code == 1
    assert "127.0.0.1:" in told.err
    assert not (tmp_path / "lake" / "orders").exists()


def test_a_wrong_setting_names_its_line(varve: Any, tmp_path: Path) -> None:
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters:\n  - name: orders\n    zookeper: {connect: zk1}\n"
    )
    told = varve(tmp_path, "snapshot")
    assert told.code == 2
    assert "varve.yaml, line 4: clusters.0.zookeper: there is no such setting" in told.err


def test_an_unknown_table_names_the_nearest(varve: Any, home: Path) -> None:
    told = varve(home, "sql", "SELECT * FROM partition")
    assert told.code == 2
    assert "partitions" in told.err


def _replica(settings: dict[str, Any], dir_name: str) -> Path:
    log_dirs = [Path(path) for broker in settings["log_dirs"] for path in broker["local"]]
    return next(path / dir_name for path in log_dirs if (path / dir_name).exists())


def _write(home: Path, entry: dict[str, Any]) -> None:
    (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "./lake", "clusters": [entry]}))
