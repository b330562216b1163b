"""The only writer of the lake: Delta appends, each once per attempt at a snapshot and table."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property

import duckdb
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.lake.arrow import arrow_table
from jobs.lake.commits import Commit
from jobs.lake.ddl import alter_table_ddl, create_table_ddl, with_members
from jobs.lake.eras import EraLimits, Stamp, rows_to_append
from jobs.lake.files import of_generation, stored_files, stored_shape
from jobs.lake.layout import landing_folder, table_path, work_folder
from jobs.lake.once import REBUILD, SNAPSHOT, number_of, once
from jobs.lake.rows import Rows
from jobs.lake.sight import Sight
from jobs.lake.state import Comparison
from jobs.lake.stored import StoredRows, read_parquet
from jobs.lake.views import newest_era
from jobs.machine.folders import remove_empty_folders
from jobs.machine.local_rows import LocalRows
from jobs.storage import Storage
from schemas.table import Table


class DeltaTables:
    """The Delta tables of one cluster, as the snapshot `snapshot_id` finds and extends them.

    `written_by` is the attempt at the snapshot, which is stamped on every row.
    """

    def __init__(
        self,
        spark: SparkSession,
        storage: Storage,
        cluster: str,
        snapshot_id: str,
        written_by: str,
        era_limits: EraLimits = EraLimits(),  # noqa: B008 (it is frozen)
    ) -> None:
        self.spark = spark
        self.storage = storage
        self.cluster = cluster
        self.snapshot_id = snapshot_id
        self.written_by = written_by
        self._era_limits = era_limits
        self._local_rows = LocalRows(spark, storage, work_folder(cluster))
        self.sight = Sight(storage, cluster, snapshot_id, spill_to=self._local_rows.here)

    def suit(self, rows: int) -> None:
        """Prepare for a snapshot of that many rows."""
        self._local_rows.clear()
        self._local_rows.suit(rows)

    def clear_work(self) -> None:
        """Delete what only the work on this snapshot needed."""
        self._local_rows.clear()

    @property
    def last(self) -> Commit | None:
        """The newest committed snapshot, None before the first."""
        return self.sight.last

    def generation_of(self, table: Table) -> int:
        """The computation of the past that a table goes on with: of one that the last rebuild left out an older one."""
        current = self.last.generation if self.last else 0
        files = (
            of_generation(stored_files(self.storage, self.cluster, table.name), current) if current else []
        )
        return files[0].generation if files else current

    @cached_property
    def duckdb(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB in which rows are compared; what needs more than little memory it puts into files of this host."""
        return self.sight.connection

    def unseen_by(self, commit: Commit, source: str) -> frozenset[str]:
        """The scopes of a source that a committed snapshot did not see."""
        return frozenset(gap.scope for of, gap in self.sight.gaps(commit) if of == source)

    def path(self, table: Table) -> str:
        return self.storage.location(table_path(self.cluster, table.name))

    def before(self, table: Table) -> pa.Table:
        """The living rows of a state table before this snapshot; see `StoredRows.living`."""
        return self._stored.living(table)

    def known(self, table: Table) -> Rows:
        """As `before`, in the table's columns; many rows are not read yet."""
        return self._stored.known(table)

    def history(self, table: Table) -> pa.Table:
        """The rows of a state table that committed snapshots wrote, in its stored columns."""
        return self._stored.committed(table)

    def last_writers(self, table: Table, column: str, condition: str = "true") -> dict[str, str]:
        """By value of a column the newest attempt that wrote a row of which the condition holds; see `StoredRows`."""
        return self._stored.last_writers(table, column, condition)

    def last_writer(self, table: Table) -> str:
        """The newest attempt that may have written rows of a table before this snapshot."""
        writers = [file.writers[1] for file in self.sight.files(table)]
        return max((each or self.written_by for each in writers), default="")

    def written(self, table: Table, written_by: str) -> str:
        """DuckDB's SQL: the rows of a table that one attempt at a snapshot wrote, in its stored columns."""
        return self._stored.written(table, written_by)

    def newest_written(self, table: Table) -> str:
        """DuckDB's SQL: the rows of a series that the newest committed snapshot wrote which wrote any, in its stored columns."""
        return self._stored.newest_written(table)

    def landed(self, table: Table, files: Sequence[str]) -> pa.Table:
        """What this snapshot's source landed of a table, in the files of these names."""
        folder = landing_folder(self.cluster, table.source, self.snapshot_id)
        return read_parquet(self.storage, [f"{folder}/{name}" for name in files], table.columns)

    def local(self, rows: pa.Table) -> DataFrame:
        """Rows in the driver's memory as a DataFrame, which can be read as long as this object lives."""
        return self._local_rows.frame(rows)

    def append(self, table: Table, rows: DataFrame) -> None:
        """Append rows in one transaction. Raises SnapshotRefusedError when the cluster's lock was lost."""
        self._append(table, rows, {})

    def append_once(self, table: Table, rows: DataFrame) -> None:
        """As `append_log`, but nothing where that was done before for this snapshot or a newer one, by whatever driver.

        A driver that was paused in here does not know that its lease has ended: only Delta's log can tell who is first.
        """
        self._append(table, self._stamped(table, rows), self._once(SNAPSHOT, number_of(self.snapshot_id)))

    def append_rebuilt(self, table: Table, rows: DataFrame, generation: int) -> None:
        """As `append`, but nothing where the rebuild of that generation, or a newer one, did it or was given up."""
        self._append(table, rows, self._once(REBUILD, generation))

    def _once(self, application: str, number: int) -> dict[str, str]:
        """The options of an append that is done once; a lock that cannot end before its holder knows sees to that itself."""
        return once(application, number) if self.storage.locks_expire else {}

    def _append(self, table: Table, rows: DataFrame, options: Mapping[str, str]) -> None:
        try:
            self.storage.check_locks()
            self._append_in_spark(table, rows, options)
        finally:
            self.storage.changed(table_path(self.cluster, table.name))

    def _append_in_spark(self, table: Table, rows: DataFrame, options: Mapping[str, str]) -> None:
        stored = stored_shape(self.storage, self.cluster, table.name)
        if stored:
            statements = alter_table_ddl(table, self.path(table), stored.properties)
        else:
            # Spark takes what a creation that was cut off left for a table, and would create none.
            self.storage.clear_unfinished(f"{table_path(self.cluster, table.name)}/_delta_log")
            remove_empty_folders(self.spark, f"{self.path(table)}/_delta_log")
            statements = [create_table_ddl(table, self.path(table))]
        for statement in statements:
            self.spark.sql(statement)
        names = [column.name for column in table.stored_columns]
        is_younger = stored is not None and not with_members(table.stored_columns) <= stored.columns
        writer = rows.select(names).write.format("delta").mode("append")
        writer.option("mergeSchema", str(is_younger).lower()).options(**options).save(self.path(table))

    def append_changes(self, table: Table, compared: Comparison, captured_at: datetime) -> None:
        """Append what this snapshot changed of a state table; see `rows_to_append`."""
        stamp = Stamp(self.cluster, self.snapshot_id, self.written_by, self.generation_of(table), captured_at)
        newest = newest_era(self.sight.files(table))
        first_era = self.sight.first.written_by if self.sight.first else self.written_by
        rows = rows_to_append(
            self.duckdb,
            table,
            lambda: self.before(table),
            compared,
            newest,
            first_era,
            self._era_limits,
            stamp,
        )
        self.append(table, self.local(rows))

    def append_log(self, table: Table, rows: DataFrame) -> None:
        """Append rows of a log table (its own columns) under this snapshot."""
        self.append(table, self._stamped(table, rows))

    def append_series(self, table: Table, rows: DataFrame, captured_at: datetime) -> None:
        """Append rows of a series table (its own columns) that were read at `captured_at`."""
        instant = F.lit(captured_at).cast("timestamp")
        day = F.lit(captured_at.astimezone(UTC).date().isoformat()).cast("date")
        self.append(table, self._stamped(table, rows).withColumns({"captured_at": instant, "day": day}))

    def frame(self, table: Table, rows: Sequence[tuple[object, ...]]) -> DataFrame:
        """A DataFrame of a table's own columns; through Arrow, which needs no Python worker."""
        return self.local(arrow_table(table.columns, rows))

    def _stamped(self, table: Table, rows: DataFrame) -> DataFrame:
        return rows.withColumns(
            {
                "cluster": F.lit(self.cluster),
                "snapshot_id": F.lit(self.snapshot_id),
                "written_by": F.lit(self.written_by),
                "generation": F.lit(self.generation_of(table)),
            }
        )

    @cached_property
    def _stored(self) -> StoredRows:
        return StoredRows(self.storage, self.sight)
