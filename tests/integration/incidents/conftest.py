"""Clusters of the incident reports, watched by Varve: snapshots, what they find, and the commands of the pages."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.checks.parts.check import runbooks
from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import Jvm
from jobs.lab.scripts import write_scripts
from jobs.lake.read import open_reader
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.storage import open_storage

BEGIN = datetime(2026, 11, 21, 14, tzinfo=UTC)
_COMMAND_TIMEOUT_S = 40


class Watched:
    """A cluster and the lake of its snapshots."""

    def __init__(self, cluster: KafkaCluster, home: Path, spark: SparkSession) -> None:
        self._cluster, self._home, self._spark, self._taken = cluster, home, spark, 0
        self._scripts = write_scripts(home / "bin", cluster.version)

    def look(self, sources: tuple[str, ...] = ("zookeeper", "kafka", "log_dirs"), **kafka: Any) -> None:
        """Take a snapshot of these sources; `kafka` are settings of that source, such as only living brokers."""
        entry = {
            key: value for key, value in self._cluster.settings("lab").items() if key in ("name", *sources)
        }
        if "kafka" in entry:
            entry["kafka"] = {**entry["kafka"], "timeout_s": 15} | kafka
        config = self._home / "varve.yaml"
        config.write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        settings = load_settings(config)
        snapshot_id = snapshot_id_at(BEGIN + timedelta(minutes=10 * self._taken))
        self._taken += 1
        collect_all(settings, "lab", snapshot_id)
        process(settings, "lab", snapshot_id, self._spark, expect=False)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """What the lake answers."""
        return open_reader(open_storage(self._home / "lake"), ["lab"]).query(sql).rows

    def found(self, check_id: str) -> dict[str, tuple[str, dict[str, Any]]]:
        """The open findings of a check after the last snapshot: severity and evidence by subject."""
        select = "SELECT subject, severity, evidence FROM findings WHERE status = 'open' AND check_id = "
        return {
            subject: (severity, json.loads(evidence))
            for subject, severity, evidence in self.ask(f"{select}'{check_id}'")
        }

    def events(self) -> set[tuple[str, str]]:
        """What happened before the last snapshot: event and subject."""
        newest = "(SELECT max(snapshot_id) FROM snapshots)"
        return set(self.ask(f"SELECT event, subject FROM events WHERE snapshot_id = {newest}"))

    def run(self, check_id: str, words: str, values: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the command in the page of a check that has these words, with its words in capitals filled in."""
        (command,) = {line.strip() for line in runbooks()[check_id].splitlines() if _is_command(line, words)}
        blank = set(re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b", command)) - set(values)
        assert not blank, f"{command}: what is {blank}?"
        filled = re.sub("|".join(map(re.escape, values)), lambda word: values[word[0]], command)
        path = f"{self._scripts}:{os.environ['PATH']}"
        return subprocess.run(
            ["timeout", str(_COMMAND_TIMEOUT_S), "sh", "-c", filled],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )


def _is_command(line: str, words: str) -> bool:
    return words in line and line.strip().split(" ")[0].endswith(".sh")


@pytest.fixture(scope="session")
def watch(spark: SparkSession) -> Callable[[KafkaCluster, Path], Watched]:
    """`watch(cluster, folder)`: the cluster with a lake in that folder."""
    return lambda cluster, home: Watched(cluster, home, spark)


@pytest.fixture(scope="session")
def frozen() -> Callable[[Jvm], Any]:
    """`with frozen(jvm)`: the process is stopped with SIGSTOP meanwhile, as by a pause that does not end."""

    @contextmanager
    def pause(jvm: Jvm) -> Iterator[None]:
        os.kill(jvm.pid, SIGSTOP)
        try:
            yield
        finally:
            if jvm.running:
                os.kill(jvm.pid, SIGCONT)

    return pause
