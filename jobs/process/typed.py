"""From raw state to typed tables."""

from importlib import import_module
from typing import Any

import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.lake.arrow import in_columns
from jobs.lake.authority import authority, source_of
from jobs.lake.coverage import covers
from jobs.lake.write import DeltaTables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State, States, side_by_side, write_state
from jobs.process.unchanged import below, unchanged
from jobs.tables.parts.conform import conform
from schemas.registry import derived, tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def followed_source(snapshot: SnapshotInput, raw: States) -> str:
    """The source that the typed tables follow in this snapshot: `zookeeper`, `kafka`, or none where neither is read."""
    return authority(snapshot.gaps.keys(), _controller_znode(snapshot, raw))


def followed_tables(snapshot: SnapshotInput, authority: str) -> list[Table]:
    """The derived tables whose source this snapshot was to read."""
    return [table for table in derived() if source_of(table, authority) in snapshot.gaps]


def write_typed_tables(
    delta: DeltaTables, snapshot: SnapshotInput, raw: States, authority: str
) -> dict[str, State]:
    """Make the derived tables from the raw state, and append what changed of them.

    Gives the tables that were made, by name; those that would come out as they are were not.
    """
    followed = followed_tables(snapshot, authority)
    kept = unchanged(delta, snapshot, raw, authority, followed)

    def write(table: Table) -> State:
        source = source_of(table, authority)
        rows = _rows(delta, snapshot, raw, table, source).toArrow()
        return write_state(
            delta,
            table,
            in_columns([rows], table.columns),
            snapshot.unseen(table, source),
            snapshot.captured(source),
        )

    made = side_by_side(write, [table for table in followed if table.name not in kept])
    return {state.table.name: state for state in made}


def _rows(delta: DeltaTables, snapshot: SnapshotInput, raw: States, table: Table, source: str) -> DataFrame:
    function: Any = getattr(import_module(f"jobs.tables.{table.name}"), f"from_{source}")
    inputs = {name: _input(raw, table, tables()[name]) for name in table.inputs[source]}
    rows: DataFrame = function(**inputs)
    unknown = [
        column.name
        for column in table.columns
        if source in column.scopes and not _was_ever_seen(delta, snapshot, source, column.scopes[source])
    ]
    return conform(rows.drop(*unknown), table)


def _input(raw: States, table: Table, one: Table) -> DataFrame:
    """The raw state that a table is made from; of the tree only the table's own subtrees."""
    rows = raw.of(one).frame
    return rows.where(below(F.col("path"), table.subtrees)) if one is ZNODES and table.subtrees else rows


def _was_ever_seen(delta: DeltaTables, snapshot: SnapshotInput, source: str, scope: str) -> bool:
    """Whether this snapshot or one before it saw a place of a source."""
    if snapshot.is_read(source) and not covers({gap.scope for gap in snapshot.gaps[source]}, scope):
        return True
    return any(not covers(gaps, scope) for _, gaps in delta.sight.coverages(source))


def _controller_znode(snapshot: SnapshotInput, raw: States) -> str | None:
    if "zookeeper" not in snapshot.gaps or "kafka" not in snapshot.gaps:
        return None
    znodes = raw.of(ZNODES).rows
    found = znodes.filter(pc.equal(znodes["path"], "/controller"))["data"].to_pylist()
    return found[0] if found else None
