"""A cluster that somebody writes to all the time, its lake, and plans whose commands are run as printed."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.producer.future import FutureRecordMetadata

from jobs.lab.distribution import KAFKA_VERSION
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.scripts import write_scripts
from jobs.lab.topics import create_topic, partitions_of
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.plans.step import COMMAND

VARVE = Path(__file__).parents[3] / ".venv" / "bin" / "varve"
Cluster = ZooKeeperCluster | KRaftCluster
TOPICS = ("orders", "payments")
EVERYWHERE = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]

Row = dict[str, Any]


class Load:
    """Somebody who goes on writing to a topic and keeps in mind what was acknowledged by all replicas in sync."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._cluster, self._topic = cluster, topic
        self._sent: list[FutureRecordMetadata] = []
        self._is_over = threading.Event()
        self._producer = KafkaProducer(
            bootstrap_servers=cluster.bootstrap_servers,
            acks="all",
            request_timeout_ms=5_000,
            delivery_timeout_ms=900_000,
            metadata_max_age_ms=2_000,
        )
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    @property
    def acknowledged(self) -> set[int]:
        """The numbers of the records that were acknowledged."""
        return {number for number, each in enumerate(list(self._sent)) if each.succeeded()}

    def wait_for_more(self) -> None:
        """Wait until a hundred more are acknowledged."""
        enough = len(self.acknowledged) + 100
        servers = [node.jvm for node in self._cluster.brokers.values()]
        wait_until("acknowledged records", lambda: len(self.acknowledged) >= enough, servers, 90)

    def end(self) -> tuple[set[int], set[int]]:
        """Stop writing; what was acknowledged, and what can be read."""
        self._is_over.set()
        self._thread.join(30)
        self._producer.flush(timeout=90)
        self._producer.close(timeout=5)
        return self.acknowledged, self._readable()

    def _write(self) -> None:
        while not self._is_over.wait(0.01):
            partitions = sorted(self._producer.partitions_for(self._topic) or {0})
            number = len(self._sent)
            partition = partitions[number % len(partitions)]
            self._sent.append(self._producer.send(self._topic, str(number).encode(), partition=partition))

    def _readable(self) -> set[int]:
        consumer = KafkaConsumer(
            bootstrap_servers=self._cluster.bootstrap_servers,
            auto_offset_reset="earliest",
            consumer_timeout_ms=10_000,
        )
        partitions = partitions_of(self._cluster.bootstrap_servers, self._topic)
        consumer.assign([TopicPartition(self._topic, number) for number in partitions])
        try:
            return {int(record.value) for record in consumer}
        finally:
            consumer.close()


class Lab:
    """The cluster with its lake, and a shell in which Kafka's scripts and `varve` are at hand."""

    def __init__(self, home: Path, cluster: Cluster, varve_here: Callable[..., str]) -> None:
        home.mkdir(exist_ok=True)
        self.home, self.cluster, self._varve = home, cluster, varve_here
        self.watch(cluster.settings("lab"))
        self._scripts = write_scripts(home / "bin", KAFKA_VERSION)
        (self._scripts / "varve").symlink_to(VARVE)

    def watch(self, entry: Row) -> None:
        """Go by these settings of the cluster from here on."""
        (self.home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))

    def snapshot(self) -> None:
        self._varve(self.home, "snapshot", "lab")

    def ask(self, sql: str) -> list[Row]:
        found: list[Row] = json.loads(self._varve(self.home, "sql", sql, "--format", "json"))
        return found

    def findings(self) -> set[tuple[str, str, str]]:
        """The open findings about topic ids: check, subject, severity."""
        rows = self.ask(
            "SELECT check_id, subject, severity FROM findings WHERE status = 'open' AND check_id LIKE 'topic-id-%'"
        )
        return {(row["check_id"], row["subject"], row["severity"]) for row in rows}

    def events(self) -> set[tuple[str, str]]:
        """What happened to topic ids by the newest snapshot."""
        newest = "(SELECT max(snapshot_id) FROM snapshots)"
        rows = self.ask(
            f"SELECT event, subject FROM events WHERE snapshot_id = {newest} AND event LIKE 'topic-id-%'"
        )
        return {(row["event"], row["subject"]) for row in rows}

    def plan(self) -> list[Row]:
        steps: list[Row] = json.loads(self._varve(self.home, "plan", "topic-id", "--format", "json"))
        return steps

    def why_not_elect(self) -> str:
        """What `varve gate controller-move` says against an election; empty where the gate is open."""
        told = self.shell("varve gate controller-move --cluster lab")
        assert told.returncode in (0, 3), told.stdout + told.stderr
        return told.stdout if told.returncode else ""

    def shell(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run what was printed as it was printed."""
        env = os.environ | {"PATH": f"{self._scripts}:{os.environ['PATH']}"}
        env["VARVE_CONFIG"] = str(self.home / "varve.yaml")
        return subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=self.home,
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def run(self, command: str) -> str:
        done = self.shell(command)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def take(self, step: Row) -> str:
        """Look before, run, and look after, as the step says; what the looks after it printed."""
        assert not step["not_now"], step
        self.look(step["before"])
        self.run(step["run"])
        return self.look(step["after"])

    def look(self, lines: list[str]) -> str:
        """Run the commands among these lines."""
        return "\n".join(self.run(line.removeprefix(COMMAND)) for line in lines if line.startswith(COMMAND))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, spark: Any, varve_here: Any) -> Iterator[Lab]:
    """Three brokers, topics orders and payments everywhere, and a first snapshot of their health."""
    assert spark
    home = tmp_path_factory.mktemp("topic-ids")
    with ZooKeeperCluster(home / "cluster") as cluster:
        for topic in TOPICS:
            create_topic(cluster.bootstrap_servers, topic, EVERYWHERE)
        cluster.wait_until_in_sync()
        lab = Lab(home, cluster, varve_here)
        lab.snapshot()
        yield lab


@pytest.fixture(scope="module")
def kraft_lab(tmp_path_factory: pytest.TempPathFactory, spark: Any, varve_here: Any) -> Iterator[Lab]:
    """A controller, two brokers and topic orders on both."""
    assert spark
    home = tmp_path_factory.mktemp("topic-ids-kraft")
    with KRaftCluster(home / "cluster") as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2]])
        cluster.wait_until_in_sync()
        yield Lab(home, cluster, varve_here)


@pytest.fixture(scope="module")
def load(lab: Lab) -> Load:
    """Written to orders from here on."""
    load = Load(lab.cluster, "orders")
    load.wait_for_more()
    return load
