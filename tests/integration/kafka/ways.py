"""Brokers that the controller reaches on ways that can be blocked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kafka.protocol.admin import AlterPartitionReassignmentsRequest, ElectLeadersRequest
from kafka.protocol.metadata import MetadataRequest

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.node import Node
from jobs.lab.ports import HOST, free_port
from jobs.lab.topics import partitions_of
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.sources.kafka.connection.client import KafkaClient, metadata_request
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.views import view_in


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


def leader_by(address: str, topic: str) -> int:
    """Whom the broker at this address takes for the leader of partition 0. Kafka's own clients ask any broker."""
    asked = metadata_request([MetadataRequest.MetadataRequestTopic(name=topic)])
    with Servers([address], Identity(None, None), 30) as servers:
        leader, _ = view_in(servers.frame(asked))[topic, 0]
    return leader


def lead(cluster: KafkaCluster, asked: int, topic: str, replicas: list[int]) -> None:
    """Ask a broker to put the replicas of partition 0 in this order and to elect the first; of ZooKeeper the controller."""
    moved = AlterPartitionReassignmentsRequest.ReassignableTopic
    partition = moved.ReassignablePartition(partition_index=0, replicas=replicas)
    elected = ElectLeadersRequest.TopicPartitions(topic=topic, partitions=[0])
    address = cluster.brokers[asked].address
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
        lambda: leader_by(address, topic) == replicas[0],
        cluster.servers,
        30,
    )
