"""A real broker that does not hear the KRaft controller: it is found, and what its runbook names shows why."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.ports import HOST
from jobs.lab.topics import create_topic
from tests.integration.kafka.watched import WatchedOverKafka
from tests.integration.kafka.ways import Way, lead, leader_by

CUT_OFF = 3
VIEWS = "SELECT broker_id, reference_id FROM broker_views WHERE topic IS NOT NULL"


class ClusterWithAWay(KRaftCluster):
    """Broker 3 reaches the controller on a way of its own. The controller waits ten minutes for those who are silent."""

    def __init__(self, directory: Path) -> None:
        self.way = Way()
        super().__init__(directory, brokers=3)

    def _properties(self, node: Node) -> dict[str, str]:
        both = {
            **super()._properties(node),
            "broker.session.timeout.ms": "600000",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,WAY:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        }
        way = f"{HOST}:{self.way.port}"
        if node.node_id == CUT_OFF:
            return both | {"controller.listener.names": "WAY", "controller.quorum.bootstrap.servers": way}
        if node.node_id in self.brokers:
            return both
        return both | {
            "controller.listener.names": "CONTROLLER,WAY",
            "listeners": f"CONTROLLER://{node.address},WAY://{HOST}:{self.way.target}",
            "advertised.listeners": f"CONTROLLER://{node.address},WAY://{way}",
        }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterWithAWay]:
    with ClusterWithAWay(tmp_path_factory.mktemp("cluster")) as cluster:
        create_topic(cluster.bootstrap_servers, "sales", [[1, 2]])
        yield cluster


def test_a_broker_that_does_not_fetch_the_metadata_log_is_found_and_lags_until_it_does(
    cluster: ClusterWithAWay, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    watched = WatchedOverKafka(cluster, tmp_path_factory.mktemp("home"), spark)
    cluster.wait_for_brokers(cluster.brokers)

    def lag() -> int:
        told = watched.printed(
            "stale-metadata",
            "describe --replication",
            {"BOOTSTRAP_CONTROLLERS": cluster.bootstrap_controllers},
        )
        (row,) = [line.split() for line in told.splitlines() if re.match(rf"{CUT_OFF}\s", line)]
        return int(row[3])

    def says(broker_id: int) -> int:
        return leader_by(cluster.brokers[broker_id].address, "sales")

    with cluster.way.blocked():
        lead(cluster, 2, "sales", [2, 1])
        watched.snapshot()
        assert watched.findings("stale-metadata") == {f"broker {CUT_OFF}": "warning"}
        assert watched.ask(VIEWS) == [(CUT_OFF, 1)]
        assert says(CUT_OFF) == 1
        before = lag()
        wait_until("a growing lag", lambda: lag() > before, cluster.servers, 60)
    wait_until("the broker to hear of it", lambda: says(CUT_OFF) == 2, cluster.servers, 60)
    watched.snapshot()
    assert watched.findings("stale-metadata") == {}
    assert watched.ask(VIEWS) == []
    assert lag() < before
    needed = watched.printed("stale-metadata", "varve whatif", subject=f"broker {CUT_OFF}")
    assert "leaders that move: none" in needed
    assert "go offline" not in needed
    cluster.brokers[CUT_OFF].jvm.stop()
    cluster.start_broker(CUT_OFF)
    assert says(CUT_OFF) == 2
