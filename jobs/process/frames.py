"""The DataFrames that events and checks read, by the name of their parameter.

- `<table>`: its living rows after this snapshot, with `is_current` (no gap of this snapshot covers the row) and
  `read_at` (when its source began to be read); of a series the rows of this snapshot;
- `<table>_changes`: what this snapshot changed: the key's columns, `op`, `before`, `after`, `since_snapshot_id`,
  `since_at` (see `jobs.process.since`); changes of a place that no earlier snapshot saw are left out;
- `<table>_history`: every row that earlier snapshots wrote.
"""

import inspect
from collections.abc import Callable

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.lake.authority import source_of
from jobs.lake.state import with_is_current
from jobs.lake.write import DeltaTables
from jobs.process.since import since
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import States
from schemas.registry import tables
from schemas.table import Kind, Table


def frames_read_by(function: Callable[..., DataFrame]) -> tuple[str, ...]:
    """The names of the frames a function reads."""
    return tuple(inspect.signature(function).parameters)


class Frames:
    """The frames of one snapshot, after its tables were written; each is made once."""

    def __init__(self, delta: DeltaTables, snapshot: SnapshotInput, authority: str, states: States) -> None:
        self._delta = delta
        self._snapshot = snapshot
        self._authority = authority
        self._states = states
        self._made: dict[str, DataFrame] = {}

    def call(self, function: Callable[..., DataFrame]) -> DataFrame:
        """Call a function with the frames that its parameters name."""
        return function(**{name: self._frame(name) for name in frames_read_by(function)})

    def _frame(self, name: str) -> DataFrame:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> DataFrame:
        if name.endswith("_changes"):
            return self._changes(tables()[name.removesuffix("_changes")])
        if name.endswith("_history"):
            return self._delta.history(tables()[name.removesuffix("_history")])
        return self._now(tables()[name])

    def _now(self, table: Table) -> DataFrame:
        if table.kind is Kind.SERIES:
            return self._delta.local(self._delta.written(table, self._delta.written_by))
        source = source_of(table, self._authority)
        read_at = F.lit(self._snapshot.started(source)).cast("timestamp")
        is_unseen = self._snapshot.unseen(table, source)
        state = self._states.of(table)
        if is_unseen in ("true", "false"):
            return state.frame.withColumns({"is_current": F.lit(is_unseen == "false"), "read_at": read_at})
        rows = with_is_current(self._delta.duckdb, state.rows, is_unseen)
        return self._delta.local(rows).withColumn("read_at", read_at)

    def _changes(self, table: Table) -> DataFrame:
        changes = self._states.of(table).changes
        commits = since(self._delta, table, changes)
        ids = pa.array([commit and commit.snapshot_id for commit in commits], pa.string())
        instants = pa.array(
            [commit and commit.captured_at for commit in commits], pa.timestamp("us", tz="UTC")
        )
        told = changes.append_column("since_snapshot_id", ids).append_column("since_at", instants)
        return self._delta.local(told.filter(ids.is_valid()))
