"""A real cluster that Varve watches: its snapshots, what they find, and the commands of the pages as they are printed."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pyspark.sql import SparkSession

from jobs.checks.parts.check import runbooks
from jobs.lab.cluster import KafkaCluster
from jobs.lab.scripts import write_scripts
from jobs.lake.read import LakeReader, open_reader
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.runbooks.fill import about, addresses, filled, unknown
from jobs.settings import load_settings
from jobs.storage import open_storage

BEGIN = datetime(2026, 11, 21, 14, tzinfo=UTC)
_COMMAND_TIMEOUT_S = 60
_COMMAND = re.compile(r"^ *([a-z-]+\.sh .+)$|`((?:[a-z-]+\.sh|varve) [^`]+)`", re.MULTILINE)

Cluster = TypeVar("Cluster", bound=KafkaCluster)


class Watched(Generic[Cluster]):
    """A cluster, and the lake of its snapshots, in the folder `home`."""

    def __init__(self, cluster: Cluster, home: Path, spark: SparkSession) -> None:
        self.cluster, self.home, self._spark, self._taken = cluster, home, spark, 0
        self._scripts = write_scripts(home / "bin", cluster.version)
        (self._scripts / "varve").symlink_to(Path(sys.executable).with_name("varve"))

    def look(self, sources: tuple[str, ...] = ("zookeeper", "kafka", "log_dirs"), **kafka: Any) -> None:
        """Take a snapshot of these sources; `kafka` are settings of that source, such as only living brokers."""
        entry = {
            key: value for key, value in self.cluster.settings("lab").items() if key in ("name", *sources)
        }
        if "kafka" in entry:
            entry["kafka"] = {**entry["kafka"], "timeout_s": 15} | kafka
        self._config.write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
        settings = load_settings(self._config)
        snapshot_id = snapshot_id_at(BEGIN + timedelta(minutes=10 * self._taken))
        self._taken += 1
        collect_all(settings, "lab", snapshot_id)
        process(settings, "lab", snapshot_id, self._spark, expect=False)

    @property
    def reader(self) -> LakeReader:
        return open_reader(open_storage(self.home / "lake"), ["lab"])

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """What the lake answers."""
        return self.reader.query(sql).rows

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

    def run(
        self, check_id: str, words: str, values: Mapping[str, str] | None = None, *, subject: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run the command in the page of a check that has these words, filled in for the cluster and the finding's subject.

        `values` are what else stands in it in capitals.
        """
        page = runbooks()[check_id]
        (command,) = {each for each in _commands(page) if words in each}
        (cluster,) = load_settings(self._config).clusters
        command = filled(command, addresses(cluster) | (about(page, subject) if subject else {}))
        for word, value in (values or {}).items():
            command = command.replace(word, value)
        assert not unknown(command, {}), command
        return self.shell(command)

    def printed(
        self, check_id: str, words: str, values: Mapping[str, str] | None = None, *, subject: str = ""
    ) -> str:
        """What the command in the page of a check prints."""
        return _output(self.run(check_id, words, values, subject=subject))

    def tool(self, name: str, *arguments: str) -> str:
        """What one of Kafka's scripts prints, asked of the brokers that are alive."""
        alive = [node.address for node in self.cluster.brokers.values() if node.jvm.running]
        return _output(self.shell(shlex.join([name, "--bootstrap-server", ",".join(alive), *arguments])))

    def shell(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a line with Kafka's scripts and `varve` at hand."""
        return subprocess.run(
            ["sh", "-c", command],
            env=os.environ
            | {"PATH": f"{self._scripts}:{os.environ['PATH']}", "VARVE_CONFIG": str(self._config)},
            capture_output=True,
            text=True,
            timeout=_COMMAND_TIMEOUT_S,
            check=False,
        )

    @property
    def _config(self) -> Path:
        return self.home / "varve.yaml"


def _commands(page: str) -> list[str]:
    """Lines of code, and code between the words."""
    return [" ".join((line or code).split()) for line, code in _COMMAND.findall(page)]


def _output(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout
