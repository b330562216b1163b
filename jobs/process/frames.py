"""The rows that events and checks read, by the names in their SQL.

- `<table>`: its living rows after this snapshot, with `is_current` (no gap of this snapshot covers the row) and
  `read_at` (when its source began to be read); of a series the rows of this snapshot;
- `<table>_changes`: what this snapshot changed: the key's columns, `op`, `before`, `after`, `since_snapshot_id`,
  `since_at` (see `jobs.process.since`); changes of a place that no earlier snapshot saw are left out;
- `<table>_history`: every row that earlier snapshots wrote;
- `<table>_before`: its living rows before this snapshot, with those of `jobs.lake.stored.LAST_CHANGE`; of a series or a log
  the rows of the newest earlier snapshot that wrote any;
- `coverage_gaps`: what this snapshot could not see.
"""

import re
from collections.abc import Callable, Mapping
from threading import RLock

import duckdb
import pyarrow as pa

from jobs.lake.authority import source_of
from jobs.lake.rows import Rows, show
from jobs.lake.sandbox import give_memory
from jobs.lake.state import with_is_current
from jobs.lake.write import DeltaTables
from jobs.process.commit import gap_rows
from jobs.process.since import since
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import States
from schemas.registry import tables
from schemas.snapshots import COVERAGE_GAPS
from schemas.table import Kind, Table

_READ = re.compile(r"\b(?:FROM|JOIN)\s+([a-z_]+)")
_KINDS = ("_changes", "_history", "_before")
_INSTANT = pa.timestamp("us", tz="UTC")


def frames_read_by(sql: str) -> set[str]:
    """The names of the frames that a SELECT reads."""
    known = {f"{name}{kind}" for name in tables() for kind in ("", *_KINDS)}
    return known & set(_READ.findall(sql))


def answer(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    frame: Callable[[str], Rows],
    values: Mapping[str, object] | None = None,
) -> pa.Table:
    """The rows of a SELECT over frames; `values` are those of its `$names`."""
    try:
        return _answered(connection, sql, frame, values or {})
    except duckdb.OutOfMemoryException:
        give_memory(connection)
        return _answered(connection, sql, frame, values or {})


def _answered(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    frame: Callable[[str], Rows],
    values: Mapping[str, object],
) -> pa.Table:
    with connection.cursor() as cursor:
        for name in frames_read_by(sql):
            show(cursor, name, frame(name))
        return cursor.sql(sql, params=dict(values)).to_arrow_table()


class Frames:
    """The frames of one snapshot, after its tables were written; each is made once."""

    def __init__(self, delta: DeltaTables, snapshot: SnapshotInput, authority: str, states: States) -> None:
        self._delta = delta
        self._snapshot = snapshot
        self._authority = authority
        self._states = states
        self._made: dict[str, Rows] = {}
        self._making = RLock()

    def answer(self, sql: str, values: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a SELECT over the frames that it names."""
        return answer(self._delta.duckdb, sql, self._frame, values)

    def has_rows(self, name: str) -> bool:
        """Whether a frame has a row."""
        return bool(self.answer(f"SELECT 1 FROM {name} LIMIT 1").num_rows)

    def _frame(self, name: str) -> Rows:
        with self._making:
            if name not in self._made:
                self._made[name] = self._make(name)
            return self._made[name]

    def _make(self, name: str) -> Rows:
        if name.endswith("_changes"):
            return self._changes(tables()[name.removesuffix("_changes")])
        if name.endswith("_history"):
            return self._delta.history(tables()[name.removesuffix("_history")])
        if name.endswith("_before"):
            return self._before(tables()[name.removesuffix("_before")])
        return self._now(tables()[name])

    def _before(self, table: Table) -> Rows:
        is_state = table.kind is Kind.STATE
        return self._delta.before(table) if is_state else self._delta.newest_written(table)

    def _now(self, table: Table) -> Rows:
        if table is COVERAGE_GAPS:
            return gap_rows(self._snapshot)
        if table.kind is Kind.SERIES:
            return self._delta.written(table, self._delta.written_by)
        source = source_of(table, self._authority)
        rows = self._states.of(table).rows
        seen = with_is_current(self._delta.duckdb, rows, self._snapshot.unseen(table, source))
        started = pa.scalar(self._snapshot.started(source), _INSTANT)
        return seen.append_column("read_at", pa.repeat(started, rows.num_rows))

    def _changes(self, table: Table) -> pa.Table:
        changes = self._states.of(table).changes
        commits = since(self._delta, table, changes)
        ids = pa.array([commit and commit.snapshot_id for commit in commits], pa.string())
        instants = pa.array([commit and commit.captured_at for commit in commits], _INSTANT)
        told = changes.append_column("since_snapshot_id", ids).append_column("since_at", instants)
        return told.filter(ids.is_valid())
