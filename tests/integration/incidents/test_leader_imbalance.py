"""After a restart the leaders stay where they went: seen, mended as its page says, or by Kafka itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.topics import create_topic, led_elsewhere, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.incidents.losing import Losing

SAFE = "roll of lab: safe now\n"
IMBALANCE = "SELECT severity, evidence->>'electable_count' FROM findings WHERE check_id = 'leader-imbalance' AND status = 'open'"
AUTOMATIC = {"auto.leader.rebalance.enable": "true", "leader.imbalance.check.interval.seconds": "3600"}


class RebalancingZooKeeperCluster(ZooKeeperCluster):
    """Its controller brings leaders home every hour, and a few seconds after it was elected."""

    def _properties(self, node: Node) -> dict[str, str]:
        return super()._properties(node) | AUTOMATIC

    def rebalance(self) -> None:
        self.delete_controller()


class RebalancingKRaftCluster(KRaftCluster):
    """Its controller brings leaders home every hour, or every second."""

    def _properties(self, node: Node) -> dict[str, str]:
        return super()._properties(node) | AUTOMATIC

    def rebalance(self) -> None:
        (node,) = self.controllers.values()
        node.jvm.stop()
        node.configure(self._properties(node) | {"leader.imbalance.check.interval.seconds": "1"})
        node.jvm.start()
        self.wait_for_brokers(self.brokers)


def fill(cluster: KafkaCluster) -> None:
    create_topic(cluster.bootstrap_servers, "orders", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    produce(cluster.bootstrap_servers, "orders")
    cluster.wait_until_in_sync()


def wait_until_home(cluster: KafkaCluster) -> None:
    """Wait until every broker sees every partition led by its preferred leader."""

    def are_home() -> bool:
        return not any(led_elsewhere(node.address) for node in cluster.brokers.values())

    wait_until("leaders at home", are_home, cluster.servers, 60)


def test_leaders_that_stayed_elsewhere_are_one_incident_and_the_page_brings_them_home(
    spark: SparkSession, tmp_path: Path
) -> None:
    with ZooKeeperCluster(tmp_path / "cluster") as cluster:
        fill(cluster)
        watched = Losing(cluster, tmp_path, spark)
        watched.look()
        assert (watched.incidents(), watched.gate("roll")) == ({}, SAFE)

        cluster.stop_broker(1)
        watched.look()
        assert watched.incidents() == {("broker-down", "broker 1"): "warning"}
        assert watched.ask(IMBALANCE) == [("info", "0")], "nobody can be elected"
        assert "  broker 1 is not there or fenced, with 3 replicas" in watched.gate("roll")

        cluster.start_broker(1)
        cluster.wait_until_in_sync()
        watched.look()
        assert watched.incidents() == {("leader-imbalance", "broker 1"): "warning"}
        (led_by,) = watched.ask(
            "SELECT evidence->>'led_by' FROM findings WHERE check_id = 'leader-imbalance' AND status = 'open'"
        )
        assert "broker 2 leads 1 of them and 2 in all" in led_by[0]
        assert watched.gate("roll") == SAFE, "it keeps nobody from a restart"

        watched.printed("leader-imbalance", "--election-type preferred")
        watched.look()
        assert watched.incidents() == {}
        moved = "SELECT subject, reason FROM events WHERE event = 'leader-moved' ORDER BY captured_at"
        assert watched.ask(moved) == [("orders-0", "broker-left"), ("orders-0", "preferred-election")]
        epochs = (
            "SELECT DISTINCT [e.epoch FOR e IN leader_epochs] FROM disk_replicas WHERE dir_name = 'orders-0'"
        )
        led = "SELECT leader, leader_epoch FROM partitions WHERE topic = 'orders' AND partition = 0"
        ((leader, epoch),) = watched.ask(led)
        assert leader == 1
        assert watched.ask(epochs)[0][0][-1] <= epoch
        assert watched.gate("roll") == SAFE


@pytest.fixture(params=[RebalancingZooKeeperCluster, RebalancingKRaftCluster])
def rebalancing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    with request.param(tmp_path / "cluster", brokers=3) as cluster:
        yield cluster


def test_what_kafka_will_mend_by_itself_alarms_nobody_and_is_mended(
    rebalancing: Any, spark: SparkSession, tmp_path: Path
) -> None:
    fill(rebalancing)
    watched = Losing(rebalancing, tmp_path, spark)
    watched.look()
    rebalancing.stop_broker(1)
    watched.look()
    rebalancing.start_broker(1)
    rebalancing.wait_until_in_sync()
    watched.look()
    assert watched.ask(IMBALANCE) == [("info", "1")]
    rebalancing.rebalance()
    wait_until_home(rebalancing)
    watched.look()
    assert watched.ask(IMBALANCE) == []
