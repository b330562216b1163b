"""From raw state to typed tables."""

from importlib import import_module
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.lake.authority import authority
from jobs.lake.coverage import covers
from jobs.process.run import SnapshotRun, side_by_side
from jobs.process.unchanged import below, inputs_of, unchanged
from jobs.tables.parts.conform import conform
from schemas.registry import derived
from schemas.table import Table
from schemas.zookeeper import ZNODES


def write_typed_tables(run: SnapshotRun) -> None:
    """Make every derived table from the raw state of its source; see `jobs.lake.authority` and `unchanged`."""
    run.authority = authority(run.gaps.keys(), _controller_znode(run))
    followed = [table for table in derived() if run.source_of(table) in run.gaps]
    run.kept = unchanged(run, followed)
    side_by_side(
        lambda table: _write(run, table), [table for table in followed if table.name not in run.kept]
    )


def _write(run: SnapshotRun, table: Table) -> None:
    run.write_state(table, _made(run, table), run.captured(run.source_of(table)))


def _made(run: SnapshotRun, table: Table) -> DataFrame:
    source = run.source_of(table)
    function: Any = getattr(import_module(f"jobs.tables.{table.name}"), f"from_{source}")
    rows: DataFrame = function(**{raw.name: _input(run, table, raw) for raw in inputs_of(run, table)})
    unknown = [
        column.name
        for column in table.columns
        if source in column.scopes and not _was_ever_seen(run, source, column.scopes[source])
    ]
    return conform(rows.drop(*unknown), table)


def _was_ever_seen(run: SnapshotRun, source: str, scope: str) -> bool:
    """Whether this snapshot or one before it saw a place of a source."""
    gaps = [commit.gaps[source] for commit in run.lake.commits if source in commit.sources]
    if run.is_read(source):
        gaps.append(frozenset(gap.scope for gap in run.gaps[source]))
    return any(not covers(unseen, scope) for unseen in reversed(gaps))


def _input(run: SnapshotRun, table: Table, raw: Table) -> DataFrame:
    """The raw state that a table is made from; of the tree only the table's own subtrees."""
    rows = run.now(raw).drop("cluster")
    return rows.where(below(F.col("path"), table.subtrees)) if raw is ZNODES and table.subtrees else rows


def _controller_znode(run: SnapshotRun) -> str | None:
    if "zookeeper" not in run.gaps or "kafka" not in run.gaps:
        return None
    row = run.now(ZNODES).where("path = '/controller'").select("data").first()
    return row.data if row else None
