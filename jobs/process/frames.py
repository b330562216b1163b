"""The DataFrames that events and checks read, by the name of their parameter.

- `<table>`: its living rows after this snapshot, with `is_current` (no gap of this snapshot covers the row) and
  `read_at` (when its source began to be read); of a series the rows of this snapshot;
- `<table>_changes`: what this snapshot wrote: the key's columns, `op`, `before`, `after`, `since_snapshot_id`,
  `since_at`; changes of a scope that no earlier snapshot saw are left out;
- `<table>_history`: every row that earlier snapshots wrote.
"""

import inspect
from collections.abc import Callable
from itertools import islice

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.lake.authority import source_of
from jobs.lake.commits import Commit
from jobs.lake.coverage import is_under, scope_of
from jobs.lake.write import DeltaTables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import States
from schemas.registry import tables
from schemas.table import Kind, Table

_LOOKED_BACK = 50
"""How many different sets of gaps are tried, from the newest snapshot back, to find one that saw a scope."""


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
            return self._delta.written(table)
        source = source_of(table, self._authority)
        read_at = F.lit(self._snapshot.started(source)).cast("timestamp")
        unseen = self._snapshot.unseen(table, source)
        return self._states.of(table).now.withColumns({"is_current": ~unseen, "read_at": read_at})

    def _changes(self, table: Table) -> DataFrame:
        """From the rows that were written, so that a rerun finds the same."""
        after = F.when(F.col("op") != "delete", F.struct(*table.column_names))
        written = (
            self._delta.written(table)
            .where("op <> 'keyframe'")
            .select("cluster", *table.key, "op", after.alias("after"), self._since(table).alias("since"))
            .where("since is not null")
        )
        key = ("cluster", *table.key)
        before = self._states.of(table).before.select(
            F.col("cluster").alias("_cluster"),
            *[F.col(f"before.{name}").alias(f"_{name}") for name in table.key],
            "before",
        )
        same_key = [F.col(name).eqNullSafe(F.col(f"_{name}")) for name in key]
        return written.join(before, on=same_key, how="left").select(
            *table.key,
            "op",
            "before",
            "after",
            F.col("since.snapshot_id").alias("since_snapshot_id"),
            F.col("since.captured_at").alias("since_at"),
        )

    def _since(self, table: Table) -> Column:
        """The newest earlier snapshot that saw a row's scope; null where none did."""
        source = source_of(table, self._authority)
        scope = scope_of(table, source)
        cases = []
        for gaps, commit in islice(self._coverages(source).items(), _LOOKED_BACK):
            snapshot = F.struct(
                F.lit(commit.snapshot_id).alias("snapshot_id"),
                F.lit(commit.captured_at).cast("timestamp").alias("captured_at"),
            )
            cases.append(F.when(~is_under(scope, gaps), snapshot))
        unknown = F.lit(None).cast("struct<snapshot_id: string, captured_at: timestamp>")
        return F.coalesce(*cases) if cases else unknown

    def _coverages(self, source: str) -> dict[frozenset[str], Commit]:
        """For each set of gaps in a source the newest snapshot that had it, back to the first snapshot without a gap."""
        newest: dict[frozenset[str], Commit] = {}
        for commit in reversed(self._delta.commits):
            if commit.has_read(source):
                gaps = self._delta.unseen_by(commit, source)
                newest.setdefault(gaps, commit)
                if not gaps:
                    break
        return newest
