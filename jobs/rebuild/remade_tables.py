"""The tables of a cluster as a committed snapshot finds them when the past is made again."""

from dataclasses import replace
from datetime import datetime

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from jobs.lake.arrow import in_columns
from jobs.lake.commits import Commit
from jobs.lake.eras import Stamp
from jobs.lake.rows import Rows
from jobs.lake.sight import Sight
from jobs.lake.state import Comparison
from jobs.lake.write import DeltaTables
from jobs.process.version import code_version
from jobs.rebuild.generation import Generation
from jobs.storage import Storage
from schemas.table import Table


class RemadeTables(DeltaTables):
    """What the steps of `jobs.process` read and append when they go through the snapshot of `commit` again.

    Tables that are remade are read from the new generation and appended to it, all others from the lake. `previous` is
    the commit before; to the steps its tables are of today's code, as they were just made again.
    """

    def __init__(
        self,
        spark: SparkSession,
        storage: Storage,
        cluster: str,
        commit: Commit,
        previous: Commit | None,
        generation: Generation,
    ) -> None:
        super().__init__(spark, storage, cluster, commit.snapshot_id, commit.written_by)
        self.sight = Sight(storage, cluster, previous.snapshot_id if previous else "")
        self.duckdb = generation.duckdb
        self.remade = generation.remade
        self._previous = previous
        self._new = generation

    @property
    def last(self) -> Commit | None:
        return self._previous and replace(self._previous, varve_version=code_version())

    def generation_of(self, table: Table) -> int:
        return self._new.number if table in self.remade else super().generation_of(table)

    def before(self, table: Table) -> pa.Table:
        return self._new.living(table) if table in self.remade else super().before(table)

    def known(self, table: Table) -> Rows:
        return self.before(table).select(table.column_names)

    def history(self, table: Table) -> pa.Table:
        if table not in self.remade:
            return super().history(table)
        return self._new.rows_before(table, self.written_by)

    def append(self, table: Table, rows: DataFrame) -> None:
        names = [column.name for column in table.stored_columns]
        self._new.add(table, in_columns([rows.select(names).toArrow()], table.stored_columns))

    def append_changes(self, table: Table, compared: Comparison, captured_at: datetime) -> None:
        stamp = Stamp(self.cluster, self.snapshot_id, self.written_by, self._new.number, captured_at)
        self._new.add_changes(table, self.before(table), compared, stamp)
