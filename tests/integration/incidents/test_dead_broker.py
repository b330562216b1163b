"""A broker that dies, and one that comes back on an empty disk: from healthy to resolved on a real cluster.

Every command is run as its runbook writes it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.checks.parts.check import runbooks
from jobs.incidents.read import read_incidents
from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.scripts import write_scripts
from jobs.lab.topics import create_topic, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.lake.read import LakeReader, open_reader
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.storage import open_storage

BEGIN = datetime(2026, 11, 21, 14, tzinfo=UTC)
ALL = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
LOST = (
    "SELECT evidence->>'lost_from', evidence->>'lost_until', evidence->>'still_on', severity FROM findings "
    "WHERE check_id = 'data-lost' AND status = 'open' AND subject = 'ledger-0'"
)
UNAVAILABLE, UNDER_REPLICATED = "--unavailable-partitions", "--under-replicated-partitions"


def empty(log_dirs: Iterable[Path]) -> None:
    """What a broker finds whose disks were replaced."""
    for log_dir in log_dirs:
        shutil.rmtree(log_dir)
        log_dir.mkdir()


def wait_for_checkpoint(cluster: KafkaCluster, broker_id: int) -> None:
    """Wait until a broker has written down the high watermark of ledger-0."""
    files = [path / "replication-offset-checkpoint" for path in cluster.log_dirs(broker_id)]

    def is_written() -> bool:
        return any("ledger 0 105" in file.read_text() for file in files if file.exists())

    wait_until(f"checkpoint of broker {broker_id}", is_written, [cluster.brokers[broker_id].jvm], 60)


class Watched:
    """A real cluster, the lake of its snapshots, and Kafka's scripts."""

    def __init__(self, cluster: KafkaCluster, home: Path, spark: SparkSession) -> None:
        self.cluster, self.home, self._spark, self._taken = cluster, home, spark, 0
        entry = cluster.settings("lab")
        (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        self._scripts = write_scripts(home / "bin", cluster.version)

    def snapshot(self) -> None:
        settings = load_settings(self.home / "varve.yaml")
        snapshot_id = snapshot_id_at(BEGIN + timedelta(minutes=10 * self._taken))
        self._taken += 1
        collect_all(settings, "lab", snapshot_id)
        process(settings, "lab", snapshot_id, self._spark, expect=False)

    @property
    def reader(self) -> LakeReader:
        return open_reader(open_storage(load_settings(self.home / "varve.yaml").lake), ["lab"])

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return self.reader.query(sql).rows

    def incidents(self) -> dict[tuple[str, str], str]:
        """The incidents that alarm somebody: their cause's check and subject, with the severity."""
        told = [each for each in read_incidents(self.reader) if each.severity != "info"]
        return {(each.check_id, each.findings[0].subject): str(each.severity) for each in told}

    def run(self, check_id: str, having: str, *, fails: bool = False, **words: str) -> str:
        """Run the command of a check's runbook that has this word in it."""
        commands = re.findall(r"`(kafka-[a-z-]+\.sh [^`]+)`", runbooks()[check_id])
        (command,) = {each for each in commands if having in each}
        for word, value in {"BOOTSTRAP_SERVERS": self.cluster.bootstrap_servers, **words}.items():
            command = command.replace(word, value)
        path = {**os.environ, "PATH": f"{self._scripts}:{os.environ['PATH']}"}
        done = subprocess.run(
            command, shell=True, env=path, capture_output=True, text=True, timeout=120, check=False
        )
        assert fails or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def wait_for_leaders(self, topic: str, *, is_led: bool) -> None:
        """Wait until every partition of the topic has a leader, or none has."""

        def settled() -> bool:
            partitions = partitions_of(self.cluster.brokers[3].address, topic).values()
            return all((partition["leader_id"] >= 0) == is_led for partition in partitions)

        wait_until(f"leaders of {topic}", settled, [self.cluster.brokers[3].jvm], SETTLE_TIMEOUT_S)

    def wait_for_epoch(self, broker_id: int, replica: str) -> None:
        """Wait until a broker has written down the epoch in which it leads a replica that it had to make anew."""
        files = [path / replica / "leader-epoch-checkpoint" for path in self.cluster.log_dirs(broker_id)]

        def is_written() -> bool:
            return any(len(file.read_text().splitlines()) > 2 for file in files if file.exists())

        wait_until(f"{replica} on broker {broker_id}", is_written, [self.cluster.brokers[3].jvm], 60)


@pytest.fixture(scope="module")
def watched(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
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
        yield Watched(cluster, home, spark)


def test_a_dead_broker_is_one_incident_from_its_death_to_its_return(watched: Watched) -> None:
    cluster = watched.cluster
    watched.snapshot()
    assert watched.incidents() == {}

    cluster.kill_broker(2)
    for topic in ("orders", "strict", "ledger"):
        watched.wait_for_leaders(topic, is_led=True)
    watched.snapshot()
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
    assert "audit" in watched.run("offline-partition", UNAVAILABLE)
    assert "strict" in watched.run("under-min-isr", "--under-min-isr")
    assert "orders" in watched.run("at-min-isr", "--at-min-isr")

    preferred = watched.run("leader-imbalance", "--election-type preferred", fails=True)
    assert "could not be elected" in preferred or "Error completing leader election" in preferred

    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    assert "Partition:" not in watched.run("broker-down", UNDER_REPLICATED)
    assert "Partition:" not in watched.run("offline-partition", UNAVAILABLE)
    watched.run("leader-imbalance", "--election-type preferred")
    watched.snapshot()
    assert watched.incidents() == {}
    assert watched.ask("SELECT status FROM findings WHERE check_id = 'broker-down'") == [("resolved",)]


def test_a_topic_born_on_a_dead_broker_is_offline_until_its_broker_is_back(watched: Watched) -> None:
    cluster = watched.cluster
    cluster.stop_broker(2)
    assert isinstance(cluster, ZooKeeperCluster)
    with cluster.client() as client:
        client.create("/brokers/topics/newborn", b'{"version":1,"partitions":{"0":[2]}}')
    watched.snapshot()
    offline = (
        "SELECT evidence->>'why', cause_subject FROM findings WHERE status = 'open' AND subject = 'newborn-0'"
    )
    assert watched.ask(f"{offline} AND check_id = 'offline-partition'") == [("never elected", "broker 2")]
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.snapshot()
    assert watched.ask(f"{offline} AND check_id = 'offline-partition'") == []


def test_a_broker_that_comes_back_on_an_empty_disk_loses_data_and_is_found_out(watched: Watched) -> None:
    cluster = watched.cluster
    cluster.kill_broker(2)
    cluster.brokers[1].jvm.kill()
    cluster.wait_for_brokers([3])
    watched.wait_for_leaders("ledger", is_led=False)
    watched.snapshot()
    (remedy,) = watched.ask(
        "SELECT remedy FROM findings WHERE status = 'open' AND check_id = 'offline-partition' AND subject = 'ledger-0'"
    )
    assert "only with its original disks" in remedy[0]

    empty(cluster.log_dirs(1))  # what the remedy warns of
    cluster.start_broker(1)
    watched.wait_for_epoch(1, "ledger-0")
    watched.snapshot()
    assert watched.ask(LOST) == [("0", "105", "[2]", "critical")]
    assert "data-lost" in {check_id for check_id, _ in watched.incidents()}

    (folder,) = [path / "ledger-0" for path in cluster.log_dirs(2) if (path / "ledger-0").is_dir()]
    copied = Path(shutil.copytree(folder, watched.home / "copied"))
    (log,) = copied.glob("*.log")
    told = watched.run("data-lost", "--print-data-log", FILE=str(log))
    assert "payload: record 0" in told
    assert "payload: record 104" in told

    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.run("leader-imbalance", "--election-type preferred")
    watched.snapshot()
    assert watched.ask(LOST) == [("0", "105", "[]", "critical")]  # broker 2 cut its log to what leads
    gone = "SELECT DISTINCT high_watermark FROM disk_offsets WHERE dir_name = 'ledger-0' AND snapshot_id = "
    assert watched.ask(f"{gone}(SELECT max(snapshot_id) FROM snapshots)") == [(0,)]
    assert {check_id for check_id, _ in watched.incidents()} == {"data-lost"}
