"""A lake that is asked what happened between two snapshots of a real cluster."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from kafka.admin import KafkaAdminClient
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.topics import partitions_of
from jobs.lake.read import open_reader
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.storage import open_storage


class Watched:
    """A cluster and its lake. `sources` are those of the cluster's settings that are read."""

    def __init__(self, cluster: KafkaCluster, sources: tuple[str, ...], home: Path) -> None:
        self.cluster = cluster
        entry = {key: value for key, value in cluster.settings("lab").items() if key in ("name", *sources)}
        (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        self.settings = load_settings(home / "varve.yaml")
        self.moments: dict[str, str] = {}

    def look(self, moment: str) -> None:
        """Take a snapshot, to be processed later."""
        self.moments[moment] = f"20261121T14{len(self.moments):02}00Z"
        collect_all(self.settings, "lab", self.moments[moment])

    def process(self, spark: SparkSession) -> None:
        """Process every snapshot."""
        for snapshot_id in self.moments.values():
            process(self.settings, "lab", snapshot_id, spark, expect=False)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """What the lake answers."""
        return open_reader(open_storage(self.settings.lake), ["lab"]).query(sql).rows

    def events(self, moment: str) -> set[tuple[Any, ...]]:
        """Every event of a moment, as (event, subject, reason)."""
        told = f"SELECT event, subject, reason FROM events WHERE snapshot_id = '{self.moments[moment]}'"
        return set(self.ask(told))

    def admin(self, what: Callable[[KafkaAdminClient], Any]) -> Any:
        """Ask the cluster for something."""
        with closing(KafkaAdminClient(bootstrap_servers=self.cluster.bootstrap_servers)) as client:
            return what(client)

    def wait_for(self, topic: str, leader: int, isr: set[int]) -> None:
        """Wait until partition 0 of the topic is led by that broker, with that ISR."""

        def is_so() -> bool:
            partition = partitions_of(self.cluster.bootstrap_servers, topic)[0]
            return partition["leader_id"] == leader and set(partition["isr_nodes"]) == isr

        servers = [node.jvm for node in self.cluster.brokers.values() if node.jvm.running]
        wait_until(f"{topic}-0 to be led by {leader} with ISR {isr}", is_so, servers, 60)


@pytest.fixture(scope="session")
def watch(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Watched]:
    """`watch(cluster, "zookeeper")`: a lake for the cluster."""
    return lambda cluster, *sources: Watched(cluster, sources, tmp_path_factory.mktemp("watched"))
