"""A cluster of the lab, the lake of its snapshots over the Kafka API, and Kafka's own scripts."""

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.scripts import write_scripts
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings

BEGIN = datetime(2026, 11, 21, 14, tzinfo=UTC)


class Watched:
    """Takes snapshots of a cluster, asks its lake, and runs what runbooks name."""

    def __init__(
        self, cluster: KafkaCluster, home: Path, spark: SparkSession, sql: Callable[..., Any]
    ) -> None:
        self.cluster, self._home, self._spark, self._sql, self._taken = cluster, home, spark, sql, 0
        entry = {name: value for name, value in cluster.settings("lab").items() if name != "log_dirs"}
        (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        self._scripts = write_scripts(home / "bin", cluster.version)

    def snapshot(self) -> None:
        settings = load_settings(self._home / "varve.yaml")
        snapshot_id = snapshot_id_at(BEGIN + timedelta(minutes=10 * self._taken))
        self._taken += 1
        collect_all(settings, "lab", snapshot_id)
        process(settings, "lab", snapshot_id, self._spark, expect=False)

    def sql(self, query: str) -> list[dict[str, Any]]:
        """The rows that `varve sql` answers."""
        rows: list[dict[str, Any]] = self._sql(self._home, query)
        return rows

    def findings(self, check_id: str) -> dict[str, str]:
        """The severity of each open finding of a check, by its subject."""
        open_ones = (
            f"SELECT subject, severity FROM findings WHERE check_id = '{check_id}' AND status = 'open'"
        )
        return {row["subject"]: row["severity"] for row in self.sql(open_ones)}

    def causes(self, check_id: str) -> dict[str, str]:
        """The subject of the cause of each open finding of a check, by its own."""
        open_ones = (
            f"SELECT subject, cause_subject FROM findings WHERE check_id = '{check_id}' AND status = 'open'"
        )
        return {row["subject"]: row["cause_subject"] for row in self.sql(open_ones)}

    def run(self, script: str, *arguments: str, servers: str | None = None) -> str:
        """What one of Kafka's scripts prints, asked of these brokers or else of all."""
        return self.script(
            script, "--bootstrap-server", servers or self.cluster.bootstrap_servers, *arguments
        )

    def script(self, name: str, *arguments: str) -> str:
        """What one of Kafka's scripts prints."""
        command = [str(self._scripts / name), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
