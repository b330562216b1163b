"""A cluster whose disks are watched: what the checks of disks find in a snapshot of it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import LabError, wait_until
from jobs.lake.read import open_reader
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.storage import open_storage

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

Cluster = TypeVar("Cluster", bound=KafkaCluster)
Findings = dict[tuple[str, str], dict[str, Any]]


class Watched(Generic[Cluster]):
    """A cluster with a lake of its own."""

    def __init__(self, cluster: Cluster, home: Path, spark: SparkSession) -> None:
        self.cluster = cluster
        self._spark = spark
        self._next = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
        entry = cluster.settings("lab")
        (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        self._settings = load_settings(home / "varve.yaml")

    def found(self) -> Findings:
        """What the checks of disks find open in a new snapshot: severity and what the evidence says."""
        self.snapshot()
        reader = open_reader(open_storage(self._settings.lake), ["lab"])
        rows = reader.query(
            "SELECT check_id, subject, severity, evidence, not_seen_since FROM findings WHERE status = 'open'"
        ).rows
        return {
            (check, subject): {"severity": severity, **_said(evidence)}
            for check, subject, severity, evidence, not_seen in rows
            if check in OF_DISKS and not_seen is None
        }

    def snapshot(self) -> None:
        """Take one more snapshot."""
        snapshot_id = self._next.strftime("%Y%m%dT%H%M%SZ")
        self._next += timedelta(minutes=10)
        collect_all(self._settings, "lab", snapshot_id)
        process(self._settings, "lab", snapshot_id, self._spark, expect=False)

    def directory(self, broker: int, name: str) -> Path:
        """Where a replica lies on a broker."""
        (found,) = [path / name for path in self.cluster.log_dirs(broker) if (path / name).is_dir()]
        return found

    def refusal_of(self, broker: int) -> str:
        """Start a broker that ends again, and give its log."""
        jvm = self.cluster.brokers[broker].jvm
        jvm.start()
        try:
            wait_until("an end", lambda: False, [jvm], 60)
        except LabError:
            assert not jvm.running
        return jvm.log.read_text()

    def back(self, broker: int) -> None:
        """Start a broker and wait until every replica is in sync."""
        self.cluster.start_broker(broker)
        self.cluster.wait_until_in_sync()


def _said(evidence: str) -> dict[str, Any]:
    return {name: said for name, said in json.loads(evidence).items() if said}
