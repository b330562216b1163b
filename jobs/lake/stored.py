"""Reads what lies in one cluster's tables into the driver's memory, where the next snapshot is compared with it.

DuckDB reads it from the list of files in the table's log. Spark would first compute that list in jobs of its own, which
cost more than all the rows of a small table; the metadata of a large cluster fits into memory, too.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.errors import SnapshotRefusedError
from jobs.lake import views
from jobs.lake.arrow import in_columns
from jobs.lake.duckdb_sql import name, names, text
from jobs.lake.files import StoredFile, stored_files
from jobs.lake.rows import Rows
from jobs.lake.sight import Sight
from jobs.many_rows import are_many
from jobs.storage import Storage
from schemas.table import Column, Table

LAST_CHANGE = (
    Column("changed_at", "TIMESTAMP", "when the last change of the row was captured"),
    Column("snapshot_id", "STRING", "snapshot that saw the last change of the row"),
)
"""What is known of a living row beside its own columns."""


class StoredRows:
    """The rows of one cluster's tables, of which the snapshots of `sight` count."""

    def __init__(self, storage: Storage, sight: Sight) -> None:
        self._storage = storage
        self._sight = sight

    def living(self, table: Table) -> pa.Table:
        """A state as the last commit left it: the table's columns and those of LAST_CHANGE."""
        columns = (*table.columns, *LAST_CHANGE)
        if not (files := self._sight.files(table)):
            return in_columns([], columns)
        return self._read(self._living(table, files), columns)

    def known(self, table: Table) -> Rows:
        """A state as the last commit left it, in the table's columns; many rows are not read yet."""
        files = self._sight.files(table)
        if are_many(sum(file.rows for file in views.newest_era(files))):
            return f"SELECT {names(table.column_names)} FROM ({self._living(table, files)})"
        return self.living(table).select(table.column_names)

    def committed(self, table: Table) -> pa.Table:
        """Every row of a state table that the commits wrote, in its stored columns."""
        return self._where(table, self._sight.files(table), views.is_committed(self._sight.cluster))

    def changes(self, table: Table) -> pa.Table:
        """Every change of a state table that the commits wrote, and the keyframe of its oldest era, in the stored columns."""
        files = self._sight.files(table)
        return self._where(table, files, views.is_change(files, self._sight.cluster))

    def last_writers(self, table: Table, column: str, condition: str = "true") -> dict[str, str]:
        """By value of a column the newest attempt, committed or not, that wrote a row of which the condition, SQL, is true."""
        stored = views.rows(table, self._sight.files(table))
        by_value = (
            f"SELECT {name(column)}, max({views.ATTEMPT}) FROM ({stored}) WHERE {condition} GROUP BY ALL"
        )
        with self._sight.connection.cursor() as cursor:
            return dict(cursor.execute(by_value).fetchall())

    def written(self, table: Table, written_by: str) -> str:
        """DuckDB's SQL: every row that one attempt at a snapshot wrote, committed or not, in the table's stored columns."""
        files = stored_files(self._storage, self._sight.cluster, table.name)
        rows = views.rows(table, [file for file in files if file.may_hold(written_by)])
        return f"SELECT * FROM ({rows}) WHERE {views.ATTEMPT} = {text(written_by)}"

    def newest_written(self, table: Table) -> str:
        """DuckDB's SQL: the rows of the newest attempt that counts and wrote any, in the table's stored columns.

        Only the last attempt of each file is looked for: the files that hold it are the only ones that are read.
        """
        last = [file.writers[1] for file in self._sight.files(table) if file.writers[1]]
        if not last or not (attempts := self._sight.counting(last)):
            return views.rows(table, [])
        return self.written(table, max(attempts))

    def _living(self, table: Table, files: Sequence[StoredFile]) -> str:
        return views.now(table, files, self._sight.cluster, "true")

    def _where(self, table: Table, files: Sequence[StoredFile], condition: str) -> pa.Table:
        columns = table.stored_columns
        if not files:
            return in_columns([], columns)
        return self._read(f"SELECT * FROM ({views.rows(table, files)}) WHERE {condition}", columns)

    def _read(self, select: str, columns: Sequence[Column]) -> pa.Table:
        with self._sight.connection.cursor() as cursor:
            return in_columns([cursor.sql(select).to_arrow_table()], columns)


def read_parquet(storage: Storage, paths: Sequence[str], columns: Sequence[Column]) -> pa.Table:
    """The rows of Parquet files in these columns. Raises SnapshotRefusedError when one is gone."""
    return in_columns(
        [pq.ParquetFile(pa.BufferReader(_content(storage, path))).read() for path in paths], columns
    )


def _content(storage: Storage, path: str) -> bytes:
    content = storage.read(path)
    if content is None:
        raise SnapshotRefusedError(
            f"{storage.location(path)} is not there any more: another process made its snapshot meanwhile, "
            "or somebody deleted it; `varve status` shows the newest snapshot"
        )
    return content
