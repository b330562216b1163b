"""Whom each broker takes for the leaders, on brokers of which one does not hear the controller any more."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from kafka.protocol.admin import AlterPartitionReassignmentsRequest, ElectLeadersRequest

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.ports import HOST, free_port
from jobs.lab.topics import create_topic, partitions_of
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.sources.kafka.connection.client import KafkaClient
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap

Rows = dict[str, list[dict[str, Any]]]
Land = Callable[[Settings], tuple[Rows, list[Gap]]]


class Way:
    """A way to a port that can be blocked: what is sent then is neither passed on nor refused."""

    def __init__(self) -> None:
        self.target = free_port()
        self._door = socket.create_server((HOST, 0))
        self.port = self._door.getsockname()[1]
        self._is_open = threading.Event()
        self._is_open.set()
        threading.Thread(target=self._accept, daemon=True).start()

    @contextmanager
    def blocked(self) -> Iterator[None]:
        self._is_open.clear()
        yield
        self._is_open.set()

    def _accept(self) -> None:
        while True:
            client, _ = self._door.accept()
            try:
                server = socket.create_connection((HOST, self.target))
            except OSError:
                client.close()
                continue
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError), source, sink:
            while data := source.recv(65_536):
                self._is_open.wait()
                sink.sendall(data)


class ClusterWithWays(ZooKeeperCluster):
    """The controller reaches each broker on a way of its own, clients reach it directly."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, log_dirs=1)
        self.ways = {broker_id: Way() for broker_id in self.brokers}

    def _properties(self, node: Node) -> dict[str, str]:
        way = self.ways[node.node_id]
        return {
            **super()._properties(node),
            "listeners": f"PLAINTEXT://{node.address},INTERNAL://{HOST}:{way.target}",
            "advertised.listeners": f"PLAINTEXT://{node.address},INTERNAL://{HOST}:{way.port}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT",
            "inter.broker.listener.name": "INTERNAL",
        }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterWithWays]:
    with ClusterWithWays(tmp_path_factory.mktemp("ways")) as cluster:
        yield cluster


def settings_of(cluster: ZooKeeperCluster | KRaftCluster, **changed: Any) -> Settings:
    return Settings(bootstrap_servers=cluster.bootstrap_servers, **changed)


def test_brokers_that_agree_have_one_row_each(kraft_cluster: KRaftCluster, land: Land) -> None:
    create_topic(kraft_cluster.bootstrap_servers, "agreed", [[1, 2], [2, 1]])
    tables, gaps = land(settings_of(kraft_cluster))
    assert gaps == []
    partitions = len(tables["admin_partitions"])
    assert partitions >= 2
    assert [tuple(row.values()) for row in tables["broker_views"]] == [
        (1, None, None, None, None, 1, None, None, partitions, 0),
        (2, None, None, None, None, 1, None, None, partitions, 0),
    ]


def test_no_more_brokers_are_asked_than_the_settings_say(kraft_cluster: KRaftCluster, land: Land) -> None:
    asked = {
        most: [
            row["broker_id"]
            for row in land(settings_of(kraft_cluster, max_brokers_asked=most))[0]["broker_views"]
        ]
        for most in (0, 1)
    }
    assert asked == {0: [], 1: [1]}


def test_a_broker_that_does_not_hear_the_controller_differs_until_it_does(
    cluster: ClusterWithWays, land: Land
) -> None:
    controller = cluster.controller_id()
    other, cut_off = (broker_id for broker_id in cluster.brokers if broker_id != controller)
    create_topic(cluster.bootstrap_servers, "sales", [[controller, other]])
    create_topic(cluster.bootstrap_servers, "quiet", [[controller, other]])
    cluster.wait_for_brokers(cluster.brokers)
    with cluster.ways[cut_off].blocked():
        lead(cluster, "sales", [other, controller])
        tables, gaps = land(settings_of(cluster))
    assert gaps == []
    asked = {row["broker_id"]: row for row in tables["broker_views"] if row["topic"] is None}
    assert {row["reference_id"] for row in asked.values()} == {controller}
    assert {broker_id: (row["compared"], row["differing"]) for broker_id, row in asked.items()} == {
        controller: (2, 0),
        other: (2, 0),
        cut_off: (2, 1),
    }
    # The new order and the election both raised the epoch.
    assert [tuple(row.values()) for row in tables["broker_views"] if row["topic"]] == [
        (cut_off, "sales", 0, controller, 0, controller, other, 2, None, None)
    ]
    heard = cluster.brokers[cut_off].address
    wait_until(
        "the broker to hear of it",
        lambda: partitions_of(heard, "sales")[0]["leader_id"] == other,
        cluster.servers,
        60,
    )
    tables, _ = land(settings_of(cluster))
    assert {row["differing"] for row in tables["broker_views"]} == {0}


def lead(cluster: ZooKeeperCluster, topic: str, replicas: list[int]) -> None:
    """Put the replicas of partition 0 in this order and elect the first."""
    moved = AlterPartitionReassignmentsRequest.ReassignableTopic
    partition = moved.ReassignablePartition(partition_index=0, replicas=replicas)
    elected = ElectLeadersRequest.TopicPartitions(topic=topic, partitions=[0])
    address = cluster.brokers[cluster.controller_id()].address
    with Servers([address], Identity(None, None), 30) as servers:
        client = KafkaClient(servers)
        client.cluster()
        client.ask_controller(
            AlterPartitionReassignmentsRequest(topics=[moved(name=topic, partitions=[partition])])
        )
        wait_until(
            "the new order",
            lambda: partitions_of(address, topic)[0]["replica_nodes"] == replicas,
            cluster.servers,
            30,
        )
        client.ask_controller(
            ElectLeadersRequest(election_type=0, topic_partitions=[elected], timeout_ms=10_000)
        )
    wait_until(
        "the new leader",
        lambda: partitions_of(address, topic)[0]["leader_id"] == replicas[0],
        cluster.servers,
        30,
    )
