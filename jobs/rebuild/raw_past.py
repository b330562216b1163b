"""The raw state tables as the commits left them, one after the other."""

from collections import deque

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from jobs.lake.arrow import in_columns
from jobs.lake.duckdb_sql import name, names
from jobs.lake.state import changes_schema, compare
from jobs.lake.stored import StoredRows
from jobs.lake.write import DeltaTables
from jobs.process.state import State
from schemas.registry import tables
from schemas.table import Kind, Table


class RawTable:
    """One table on its way through the commits; `rows` are its living ones, in the table's columns.

    `changes` is every change that counts, and the keyframe that opens the oldest era, in the stored columns.
    """

    def __init__(self, table: Table, changes: pa.Table) -> None:
        self.table = table
        self.rows = in_columns([], table.columns)
        self._changes = changes.sort_by("written_by")
        self._writers = deque(pc.value_counts(self._changes["written_by"]).to_pylist())
        self._taken = 0

    @property
    def writers(self) -> list[str]:
        """The attempts whose changes were not gone through yet."""
        return [each["values"] for each in self._writers]

    @property
    def oldest_era(self) -> str:
        """The attempt from which on the table's state is known; empty where it never had a row."""
        return pc.min(self._changes["era"]).as_py() or ""

    def go_on(self, connection: duckdb.DuckDBPyConnection, written_by: str) -> pa.Table:
        """Go on to the state that an attempt left. Gives what changed; see `jobs.lake.state.Comparison`."""
        if not (taken := self._take(written_by)).num_rows:
            return changes_schema(self.table).empty_table()
        with connection.cursor() as cursor:
            cursor.register("before", self.rows)
            cursor.register("taken", taken)
            after = in_columns([cursor.sql(_after(self.table)).to_arrow_table()], self.table.columns)
        compared = compare(connection, self.rows, after, self.table, "false")
        self.rows = compared.now
        return compared.changes

    def _take(self, written_by: str) -> pa.Table:
        """The changes up to an attempt that were not taken yet."""
        count = 0
        while self._writers and self._writers[0]["values"] <= written_by:
            count += self._writers.popleft()["counts"]
        taken = self._changes.slice(self._taken, count)
        self._taken += count
        return taken


class RawPast:
    """Every raw state table of a cluster on its way through the commits."""

    def __init__(self, stored: StoredRows) -> None:
        raw = [each for each in tables().values() if each.source and each.kind is Kind.STATE]
        self._tables = [RawTable(table, stored.changes(table)) for table in raw]
        self._states: dict[str, State] = {}
        self.writers = {writer for each in self._tables for writer in each.writers}
        """The attempts that changed a row."""

    @property
    def start(self) -> str:
        """The attempt from which on all is known: what retention has dropped cannot be computed again."""
        return max((each.oldest_era for each in self._tables), default="")

    def after(self, delta: DeltaTables) -> dict[str, State]:
        """The states that the attempt of `delta` left, by the table's name, each with what the attempt changed."""
        for raw in self._tables:
            changes = raw.go_on(delta.duckdb, delta.written_by)
            known = self._states.get(raw.table.name)
            if not known or changes.num_rows or known.changes.num_rows:
                self._states[raw.table.name] = State(raw.table, delta, raw.rows, changes)
        return dict(self._states)


def _after(table: Table) -> str:
    """DuckDB's SQL: the rows `before`, and over them what was `taken`."""
    key = f"PARTITION BY {names(table.key)}" if table.key else ""
    last = f"SELECT * FROM taken QUALIFY row_number() OVER ({key} ORDER BY written_by DESC) = 1"
    same_key = " AND ".join(f"old.{each} IS NOT DISTINCT FROM new.{each}" for each in map(name, table.key))
    columns = names(table.column_names)
    return (
        f"WITH last AS ({last}) SELECT {columns} FROM before AS old "
        f"WHERE NOT EXISTS (SELECT 1 FROM last AS new WHERE {same_key or 'true'}) "
        f"UNION ALL SELECT {columns} FROM last WHERE op <> 'delete'"
    )
