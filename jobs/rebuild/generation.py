"""A new computation of the past, in memory until each of its tables is appended once."""

from collections.abc import Collection

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from jobs.lake.arrow import in_columns
from jobs.lake.eras import EraLimits, Stamp, keyframe, rows_to_append
from jobs.lake.files import StoredFile
from jobs.lake.state import Comparison
from jobs.lake.stored import LAST_CHANGE
from schemas.table import Table


class Generation:
    """The rows of the tables that are made again, and of each state table those that live.

    `first_era` is the attempt that the past begins with. An era ends as it does when snapshots are loaded one by one, but
    not for its number of files, as it has one.
    """

    def __init__(
        self,
        number: int,
        remade: Collection[Table],
        limits: EraLimits,
        first_era: str,
        connection: duckdb.DuckDBPyConnection,
    ) -> None:
        self.number = number
        self.remade = remade
        self.duckdb = connection
        self._limits = limits
        self._first_era = first_era
        self._rows: dict[str, list[pa.Table]] = {table.name: [] for table in remade}
        self._living: dict[str, pa.Table] = {}
        self._newest: dict[str, StoredFile] = {}

    def rows(self, table: Table) -> pa.Table:
        """Every row of a table so far, in its stored columns."""
        return in_columns(self._rows[table.name], table.stored_columns)

    def rows_before(self, table: Table, written_by: str) -> pa.Table:
        """The rows of a table that other attempts than this one wrote so far, in its stored columns."""
        rows = self.rows(table)
        return rows.filter(pc.not_equal(rows["written_by"], written_by))

    def living(self, table: Table) -> pa.Table:
        """The living rows of a state table so far; see `StoredRows.living`."""
        return self._living.get(table.name, in_columns([], (*table.columns, *LAST_CHANGE)))

    def add(self, table: Table, rows: pa.Table) -> None:
        """Add rows of a log table, in its stored columns."""
        self._rows[table.name].append(rows)

    def add_changes(self, table: Table, before: pa.Table, compared: Comparison, stamp: Stamp) -> None:
        """Add what a snapshot changed of a state table, whose living rows were `before`."""
        newest = self._newest.get(table.name)
        era = [newest] if newest else []
        rows = rows_to_append(
            self.duckdb, table, lambda: before, compared, era, self._first_era, self._limits, stamp
        )
        living = keyframe(self.duckdb, before, compared.changes, table, stamp)
        self._living[table.name] = in_columns([living], (*table.columns, *LAST_CHANGE))
        self._newest[table.name] = _grown(newest, rows)
        self.add(table, rows)


def _grown(newest: StoredFile | None, rows: pa.Table) -> StoredFile:
    """The one file that the newest era will be when those rows are appended."""
    era = pc.max(rows["era"]).as_py()
    count = pc.sum(pc.equal(rows["era"], era)).as_py()
    before = newest.rows if newest and newest.era == era else 0
    return StoredFile("", 0, before + count, {"era": era})
