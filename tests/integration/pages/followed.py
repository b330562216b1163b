"""A watched cluster on which the steps of runbooks are followed, and what its topics hold afterwards."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from kafka import KafkaConsumer, TopicPartition

from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.topics import partitions_of
from tests.integration.watched import Watched


class Followed(Watched[KafkaCluster]):
    """Partition 0 is meant where a topic is named."""

    def leader(self, topic: str) -> int:
        """Who leads, -1 for nobody, as a living broker says."""
        return int(self.told(topic)["leader_id"])

    def isr(self, topic: str) -> set[int]:
        return set(self.told(topic)["isr_nodes"])

    def wait_for_leader(self, topic: str, leader: int) -> None:
        wait_until(f"{topic} led by {leader}", lambda: self.leader(topic) == leader, [], SETTLE_TIMEOUT_S)

    def wait_for_isr(self, topic: str, isr: set[int]) -> None:
        wait_until(f"ISR {isr} of {topic}", lambda: self.isr(topic) == isr, [], SETTLE_TIMEOUT_S)

    def records(self, topic: str) -> int:
        """How many records can be read; none was ever deleted."""
        partition = TopicPartition(topic, 0)
        with closing(KafkaConsumer(bootstrap_servers=self.living)) as consumer:
            return int(consumer.end_offsets([partition])[partition])

    def on_disk(self, broker_id: int, topic: str) -> Path:
        """Where a broker keeps the topic's records."""
        (log,) = [file for path in self.cluster.log_dirs(broker_id) for file in path.glob(f"{topic}-0/*.log")]
        return log

    def assignment(self, topic: str, replicas: Sequence[int]) -> Path:
        """A file as kafka-reassign-partitions.sh reads it."""
        partition = {"topic": topic, "partition": 0, "replicas": list(replicas)}
        file = self.home / "reassignment.json"
        file.write_text(json.dumps({"version": 1, "partitions": [partition]}))
        return file

    @property
    def living(self) -> str:
        """The addresses of the brokers that run."""
        return ",".join(node.address for node in self.cluster.brokers.values() if node.jvm.running)

    def told(self, topic: str) -> dict[str, Any]:
        """What a living broker says of the topic."""
        return partitions_of(self.living, topic)[0]
