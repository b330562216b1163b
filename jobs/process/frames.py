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
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.lake.commits import Commit
from jobs.lake.coverage import is_under, scope_of
from jobs.process.run import SnapshotRun
from schemas.registry import tables
from schemas.table import Kind, Table

_LOOKED_BACK = 50
"""How many different coverages are looked back at for one that saw a scope."""


def frames_read_by(function: Callable[..., DataFrame]) -> tuple[str, ...]:
    """The names of the frames a function reads."""
    return tuple(inspect.signature(function).parameters)


def call(run: SnapshotRun, function: Callable[..., DataFrame]) -> DataFrame:
    """Call a function with the frames its parameters name."""
    arguments: dict[str, Any] = {name: _frame(run, name) for name in frames_read_by(function)}
    return function(**arguments)


def _frame(run: SnapshotRun, name: str) -> DataFrame:
    if name.endswith("_changes"):
        return _changes(run, tables()[name.removesuffix("_changes")])
    if name.endswith("_history"):
        return run.lake.history(tables()[name.removesuffix("_history")])
    return _now(run, tables()[name])


def _now(run: SnapshotRun, table: Table) -> DataFrame:
    if table.kind is Kind.SERIES:
        return run.lake.rows(table).where(F.col("snapshot_id") == run.lake.snapshot_id)
    read_at = F.lit(run.started(run.source_of(table))).cast("timestamp")
    return run.now(table).withColumns({"is_current": ~run.unseen(table), "read_at": read_at})


def _changes(run: SnapshotRun, table: Table) -> DataFrame:
    """From the rows that were written, so that a rerun finds the same."""
    after = F.when(F.col("op") != "delete", F.struct(*table.column_names))
    written = (
        run.lake.written(table)
        .where("op <> 'keyframe'")
        .select("cluster", *table.key, "op", after.alias("after"), _since(run, table).alias("since"))
        .where("since is not null")
    )
    key = ("cluster", *table.key)
    before = run.before(table).select(
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


def _since(run: SnapshotRun, table: Table) -> Column:
    """The newest earlier snapshot that saw a row's scope; null where none did."""
    source = run.source_of(table)
    scope = scope_of(table, source)
    newest: dict[frozenset[str], Commit] = {}
    for commit in reversed(run.lake.commits):
        if commit.has_read(source):
            unseen = run.lake.unseen(commit, source)
            newest.setdefault(unseen, commit)
            if not unseen:
                break
    cases = []
    for gaps, commit in islice(newest.items(), _LOOKED_BACK):
        snapshot = F.struct(
            F.lit(commit.snapshot_id).alias("snapshot_id"),
            F.lit(commit.captured_at).cast("timestamp").alias("captured_at"),
        )
        cases.append(F.when(~is_under(scope, gaps), snapshot))
    return (
        F.coalesce(*cases)
        if cases
        else F.lit(None).cast("struct<snapshot_id: string, captured_at: timestamp>")
    )
