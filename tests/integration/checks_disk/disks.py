"""A cluster whose disks are watched: what the checks of disks find in a snapshot of it, and what its brokers hold."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import LabError, wait_until
from jobs.lab.topics import create_topic
from tests.integration.watched import Watched

OF_DISKS = (
    "brokers-disagree",
    "checkpoint-mismatch",
    "duplicate-replica",
    "malformed-metadata",
    "metadata-properties-clash",
    "missing-replica-directory",
    "replica-ahead",
    "stray-replica",
    "stuck-directory",
)
RECORDS = 40
"""So many were written to each topic."""
FIRST_SEGMENT = f"{0:020}.log"
"""A replica has it until retention deletes its first record."""

Findings = dict[tuple[str, str], dict[str, Any]]


class Disks(Watched[KafkaCluster]):
    """A cluster with two log dirs on each broker."""

    def findings(self) -> Findings:
        """What the checks of disks find open in a new snapshot: severity and what the evidence says."""
        self.look()
        rows = self.ask(
            "SELECT check_id, subject, severity, evidence FROM findings WHERE status = 'open' AND not_seen_since IS NULL"
        )
        return {
            (check, subject): {"severity": severity, **_said(evidence)}
            for check, subject, severity, evidence in rows
            if check in OF_DISKS
        }

    def directory(self, broker: int, name: str) -> Path:
        """Where a replica lies on a broker."""
        (found,) = [path / name for path in self.cluster.log_dirs(broker) if (path / name).is_dir()]
        return found

    def after_refusal(self, broker: int) -> None:
        """Let a broker that refused to start read its logs anew, as the pages say."""
        for log_dir in self.cluster.log_dirs(broker):
            (log_dir / ".kafka_cleanshutdown").unlink(missing_ok=True)

    def refusal_of(self, broker: int) -> str:
        """Start a broker that ends again, and give what it wrote to its log meanwhile."""
        jvm = self.cluster.brokers[broker].jvm
        before = len(jvm.log.read_text())
        jvm.start()
        try:
            wait_until("an end", lambda: False, [jvm], 60)
        except LabError:
            assert not jvm.running
        return jvm.log.read_text()[before:]

    def put_back(self, aside: Path, directory: Path) -> None:
        """Move a directory that its broker did not close to its place, as the pages say: Kafka makes its indexes anew."""
        for index in (*aside.glob("*.index"), *aside.glob("*.timeindex")):
            index.unlink()
        shutil.move(aside, directory)

    def back(self, broker: int) -> None:
        """Start a broker and wait until every replica is in sync."""
        self.cluster.start_broker(broker)
        self.cluster.wait_until_in_sync()

    def is_whole(self, *topics: str) -> None:
        """Nothing is found any more, and after retention ran every replica has every record that was written to these topics."""
        assert self.findings() == {}
        assert {topic: self.records(topic) for topic in topics} == dict.fromkeys(topics, RECORDS)
        cut = [
            path for topic in topics for path in self._replicas(topic) if not (path / FIRST_SEGMENT).exists()
        ]
        assert cut == []

    def _replicas(self, topic: str) -> Iterator[Path]:
        """The directories of a topic on every broker."""
        for broker in self.cluster.brokers:
            for log_dir in self.cluster.log_dirs(broker):
                yield from log_dir.glob(f"{topic}-?")

    def topic(self, name: str, assignment: list[list[int]]) -> None:
        """Make a topic with records, each in a batch of its own."""
        servers = self.cluster.bootstrap_servers
        create_topic(servers, name, assignment)
        with closing(KafkaProducer(bootstrap_servers=servers, acks="all")) as producer:
            for number in range(RECORDS):
                producer.send(name, b"a record", partition=number % len(assignment)).get(30)
        self.cluster.wait_until_in_sync()

    def delete(self, topic: str) -> None:
        """Delete a topic, and wait until broker 1 has not even a rest of it."""
        self.tool("kafka-topics.sh", "--delete", "--topic", topic)
        log_dirs = self.cluster.log_dirs(1)
        broker = self.cluster.brokers[1].jvm
        wait_until(
            "the deletion", lambda: not any(any(path.glob(f"{topic}-*")) for path in log_dirs), [broker], 60
        )

    def records(self, topic: str) -> int:
        """So many records its leaders have."""
        alive = [node.address for node in self.cluster.brokers.values() if node.jvm.running]
        with closing(KafkaConsumer(bootstrap_servers=alive)) as consumer:
            partitions = [TopicPartition(topic, each) for each in consumer.partitions_for_topic(topic)]
            begin, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        return sum(end[each] - begin[each] for each in partitions)


def _said(evidence: str) -> dict[str, Any]:
    return {name: said for name, said in json.loads(evidence).items() if said}
