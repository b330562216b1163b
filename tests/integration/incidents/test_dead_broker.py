"""A broker that dies, and one that comes back on an empty disk: from healthy to resolved on a real cluster.

Every command is run as its runbook writes it.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.incidents.losing import LOST, Losing, empty, wait_for_checkpoint

ALL = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
SAFE = "roll of lab: safe now\n"
UNAVAILABLE, UNDER_REPLICATED = "--unavailable-partitions", "--under-replicated-partitions"


@pytest.fixture(scope="module")
def watched(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Losing]:
    home = tmp_path_factory.mktemp("dead-broker")
    with ZooKeeperCluster(home / "cluster") as cluster:
        servers = cluster.bootstrap_servers
        create_topic(servers, "orders", ALL, {"min.insync.replicas": "2"})
        create_topic(servers, "strict", [[1, 2]], {"min.insync.replicas": "2"})
        create_topic(servers, "audit", [[1], [2]])
        create_topic(servers, "ledger", [[1, 2]])
        for topic in ("orders", "strict", "audit"):
            produce(servers, topic)
        produce(servers, "ledger", 105)
        cluster.wait_until_in_sync()
        wait_for_checkpoint(cluster, 2)
        yield Losing(cluster, home, spark)


def test_a_dead_broker_is_one_incident_from_its_death_to_its_return(watched: Losing) -> None:
    cluster = watched.cluster
    watched.look()
    assert watched.incidents() == {}
    offline = "1 partition would go offline"
    assert f"broker 2: {offline}" in watched.gate("roll --broker 2")
    assert "audit" in watched.shell("varve whatif --broker 2").stdout
    assert watched.gate("roll --broker 3") == SAFE

    cluster.kill_broker(2)
    for topic in ("orders", "strict", "ledger"):
        watched.wait_for_leaders(topic, is_led=True)
    watched.look()
    assert watched.incidents() == {("broker-down", "broker 2"): "critical"}
    touched = watched.ask(
        "SELECT check_id, subject FROM findings WHERE status = 'open' AND cause_check_id = 'broker-down' "
        "AND cause_subject = 'broker 2' AND severity <> 'info' ORDER BY ALL"
    )
    assert touched == [
        ("at-min-isr", "ledger-0"),
        ("at-min-isr", "orders-0"),
        ("at-min-isr", "orders-1"),
        ("at-min-isr", "orders-2"),
        ("offline-partition", "audit-1"),
        ("under-min-isr", "strict-0"),
        ("under-replicated-partition", "ledger-0"),
        ("under-replicated-partition", "orders-0"),
        ("under-replicated-partition", "orders-1"),
        ("under-replicated-partition", "orders-2"),
        ("under-replicated-partition", "strict-0"),
    ]
    facts = ("rack", "partitions", "partitions_offline", "partitions_under_min_isr")
    shown = ", ".join(f"evidence->>'{fact}'" for fact in facts)
    assert watched.ask(f"SELECT {shown} FROM findings WHERE check_id = 'broker-down'") == [
        ("rack-2", "6", "1", "1")
    ]
    assert ("broker-left", "broker 2") in watched.ask("SELECT event, subject FROM events")
    closed = watched.gate("roll --broker 3")
    assert "  broker 2 is not there or fenced, with 6 replicas" in closed
    assert "  offline: 1 partition (audit-1)" in closed
    assert "audit" in watched.printed("offline-partition", UNAVAILABLE)
    assert "strict" in watched.printed("under-min-isr", "--under-min-isr")
    assert "orders" in watched.printed("at-min-isr", "--at-min-isr")

    preferred = watched.run("leader-imbalance", "--election-type preferred")
    told = preferred.stdout + preferred.stderr
    assert "could not be elected" in told or "Error completing leader election" in told

    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    assert "Partition:" not in watched.printed("broker-down", UNDER_REPLICATED)
    assert "Partition:" not in watched.printed("offline-partition", UNAVAILABLE)
    watched.printed("leader-imbalance", "--election-type preferred")
    watched.look()
    assert watched.incidents() == {}
    assert watched.ask("SELECT status FROM findings WHERE check_id = 'broker-down'") == [("resolved",)]
    assert watched.gate("roll --broker 3") == SAFE


def test_a_topic_born_on_a_dead_broker_is_offline_until_its_broker_is_back(watched: Losing) -> None:
    cluster = watched.cluster
    cluster.stop_broker(2)
    assert isinstance(cluster, ZooKeeperCluster)
    with cluster.client() as client:
        client.create("/brokers/topics/newborn", b'{"version":1,"partitions":{"0":[2]}}')
    watched.look()
    offline = (
        "SELECT evidence->>'why', cause_subject FROM findings WHERE status = 'open' AND subject = 'newborn-0'"
    )
    assert watched.ask(f"{offline} AND check_id = 'offline-partition'") == [("never elected", "broker 2")]
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.look()
    assert watched.ask(f"{offline} AND check_id = 'offline-partition'") == []


def test_a_broker_that_comes_back_on_an_empty_disk_loses_data_and_is_found_out(watched: Losing) -> None:
    cluster = watched.cluster
    cluster.kill_broker(2)
    cluster.brokers[1].jvm.kill()
    cluster.wait_for_brokers([3])
    watched.wait_for_leaders("ledger", is_led=False)
    watched.look()
    (remedy,) = watched.ask(
        "SELECT remedy FROM findings WHERE status = 'open' AND check_id = 'offline-partition' AND subject = 'ledger-0'"
    )
    assert "only with its original disks" in remedy[0]

    empty(cluster.log_dirs(1))  # what the remedy warns of
    cluster.start_broker(1)
    watched.wait_for_epoch(1, "ledger-0")
    watched.look()
    assert watched.ask(LOST) == [("0", "105", "[2]", "critical")]
    assert "data-lost" in {check_id for check_id, _ in watched.incidents()}

    (folder,) = [path / "ledger-0" for path in cluster.log_dirs(2) if (path / "ledger-0").is_dir()]
    copied = Path(shutil.copytree(folder, watched.home / "copied"))
    (log,) = copied.glob("*.log")
    told = watched.printed("data-lost", "--print-data-log", {"FILE": str(log)})
    assert "payload: record 0" in told
    assert "payload: record 104" in told

    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.printed("leader-imbalance", "--election-type preferred")
    for broker_id in (1, 2):
        wait_for_checkpoint(cluster, broker_id, 0)
    watched.look()
    assert watched.ask(LOST) == [("0", "105", "[]", "critical")]  # broker 2 cut its log to what leads
    gone = "SELECT DISTINCT high_watermark FROM disk_offsets WHERE dir_name = 'ledger-0' AND snapshot_id = "
    assert watched.ask(f"{gone}(SELECT max(snapshot_id) FROM snapshots)") == [(0,)]
    assert {check_id for check_id, _ in watched.incidents()} == {"data-lost"}
