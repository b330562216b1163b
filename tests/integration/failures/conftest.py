"""What every failure is held to: it is told, and it deletes nothing."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.lake.read import open_reader
from jobs.process import process
from jobs.settings import load_settings
from jobs.storage import open_storage
from schemas.registry import tables
from schemas.table import Kind, Table

STATES = [table for table in tables().values() if table.kind is Kind.STATE]


class Watched:
    """One cluster and its lake. `entry` is its part of varve.yaml, which may be spoilt between two snapshots."""

    def __init__(
        self, home: Path, entry: dict[str, Any], varve: Callable[..., Any], spark: SparkSession
    ) -> None:
        self.entry = entry
        self.took_s = 0.0
        self._home, self._varve, self._spark = home, varve, spark

    def snapshot(self, snapshot_id: str) -> dict[str, Any]:
        """Collect each source by the command line, then process; what `varve` told of each source."""
        settings = {"lake": "./lake", "clusters": [self.entry]}
        (self._home / "varve.yaml").write_text(yaml.safe_dump(settings))
        words = ["--snapshot-id", snapshot_id]
        started = time.monotonic()
        told = {
            source: self._varve(self._home, "collect", "lab", source, *words)
            for source in ("zookeeper", "kafka", "log_dirs")
            if source in self.entry
        }
        self.took_s = time.monotonic() - started
        process(load_settings(self._home / "varve.yaml"), "lab", snapshot_id, self._spark, expect=False)
        return told

    def ask(self, sql: str, at: str | None = None) -> list[tuple[Any, ...]]:
        return open_reader(open_storage(self._home / "lake"), ["lab"], at).query(sql).rows

    def gaps(self, at: str) -> list[tuple[str, str, str]]:
        """Source, scope and reason of what a snapshot did not see."""
        of = f"SELECT source, scope, reason FROM coverage_gaps WHERE snapshot_id = '{at}' ORDER BY ALL"
        return self.ask(of, at)

    def deleted(self, before: str, after: str) -> set[str]:
        """The rows of all state tables, as table and key, that a snapshot had and a later one has not."""
        return self._keys(before) - self._keys(after)

    def current(self, at: str) -> dict[str, set[bool]]:
        """Whether the rows of each state table were seen by a snapshot; tables without rows are left out."""
        each = [table.name for table in STATES if table.scopes]
        rows = self.ask(" UNION ALL ".join(f"SELECT '{name}', is_current FROM {name}" for name in each), at)
        return {name: {seen for other, seen in rows if other == name} for name, _ in rows}

    def _keys(self, at: str) -> set[str]:
        rows = self.ask(" UNION ALL ".join(_keys_of(table) for table in STATES), at)
        return {json.dumps(row) for row in rows}


def _keys_of(table: Table) -> str:
    key = ", ".join(f"{name}::VARCHAR" for name in table.key)
    return f"SELECT '{table.name}', [{key}]::VARCHAR[] FROM {table.name}"


@pytest.fixture(scope="module")
def watch(
    varve: Callable[..., Any], spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[dict[str, Any]], Watched]:
    """Begin to watch a cluster called lab, which has no lake yet."""
    return lambda entry: Watched(tmp_path_factory.mktemp("home"), {"name": "lab", **entry}, varve, spark)
