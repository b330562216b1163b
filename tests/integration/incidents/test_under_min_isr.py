"""A partition refuses writes by the min.insync.replicas of its brokers' properties, which no topic config shows."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kafka import KafkaProducer
from kafka.errors import KafkaError
from pyspark.sql import SparkSession

from jobs.lab.node import Node
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.incidents.losing import Losing

OPEN = "SELECT severity, evidence->>'min_isr', evidence->>'min_isr_is_assumed' FROM findings WHERE status = 'open' AND check_id = "


class StrictCluster(ZooKeeperCluster):
    """Two replicas have to be in sync, as every broker's server.properties says."""

    def _properties(self, node: Node) -> dict[str, str]:
        return super()._properties(node) | {"min.insync.replicas": "2"}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[StrictCluster]:
    with StrictCluster(tmp_path / "cluster", log_dirs=1) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 3]])
        produce(cluster.bootstrap_servers, "orders")
        cluster.wait_until_in_sync()
        yield cluster


def refusal(cluster: StrictCluster) -> str:
    """The name of the error of a write that all replicas in sync have to acknowledge."""
    servers = cluster.brokers[1].address
    with closing(KafkaProducer(bootstrap_servers=servers, acks="all", retries=0)) as producer:
        try:
            producer.send("orders", b"refused", partition=0).get(timeout=30)
        except KafkaError as error:
            return type(error).__name__
    return ""


def test_writes_are_refused_and_the_finding_is_critical_though_no_topic_config_says_why(
    cluster: StrictCluster, spark: SparkSession, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    watched = Losing(cluster, tmp_path, spark)
    blind = Losing(cluster, tmp_path_factory.mktemp("blind"), spark)
    watched.look()
    assert watched.incidents() == {}

    cluster.kill_broker(3)
    watched.wait_for_isr("orders", {1})
    assert refusal(cluster).startswith("NotEnoughReplicas")
    watched.look()
    assert watched.incidents() == {("broker-down", "broker 3"): "critical"}
    assert watched.ask(f"{OPEN} 'under-min-isr'") == [("critical", "2", "false")]
    assert "orders" in watched.printed("under-min-isr", "--under-min-isr")
    assert "  under min ISR: 1 partition (orders-0)" in watched.gate("controller-move")

    blind.look(("zookeeper",))
    assert blind.ask(f"{OPEN} 'under-min-isr'") == []
    assert blind.ask(f"{OPEN} 'at-min-isr'") == [("warning", "1", "true")]

    cluster.start_broker(3)
    cluster.wait_until_in_sync()
    assert refusal(cluster) == ""
    watched.look()
    assert watched.incidents() == {}
    assert watched.gate("controller-move") == "controller-move of lab: safe now\n"
