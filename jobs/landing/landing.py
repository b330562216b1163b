"""Landing: where a collector puts what it read, as Parquet files with an explicit schema."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.lake.arrow import arrow_table
from jobs.secrets import Redactor
from jobs.storage import Storage
from schemas.registry import collected_by
from schemas.snapshots import Gap, GapReason
from schemas.table import Table

ROWS_PER_FILE = 200_000


class Landing:
    """Where one source puts the rows of one snapshot; a collector's only way out.

    `storage` is the folder that the files are written to. Set `zxid` and `unsettled` where the source knows them, and
    `looked_at` where the settings name the places that a source looks at: their scopes. A place that they named once and
    do not name any more is not seen.
    """

    def __init__(self, storage: Storage, source: str, redactor: Redactor) -> None:
        self.redactor = redactor
        self.gaps: list[Gap] = []
        self.zxid: int | None = None
        self.unsettled: int | None = None
        self.looked_at: list[str] | None = None
        self._storage = storage
        self._tables = {table.name: table for table in collected_by(source)}
        self._pending: dict[str, list[Sequence[Any]]] = {name: [] for name in self._tables}
        self.files: dict[str, list[str]] = {name: [] for name in self._tables}
        self.counts: dict[str, int] = dict.fromkeys(self._tables, 0)

    def rows(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Land rows of a table of this source, each a tuple in the order of the table's columns.

        Instants are `datetime` with a zone. A file is written whenever enough rows have come.
        """
        pending = self._pending[table]
        for row in rows:
            pending.append(row)
            if len(pending) >= ROWS_PER_FILE:
                self._write_pending(self._tables[table])

    def table(self, name: str, landed: pa.Table) -> None:
        """Land rows that are an Arrow table already, as one file."""
        if landed.num_rows:
            self._write(self._tables[name], landed)

    def gap(self, scope: str, reason: GapReason, message: str) -> None:
        """Say that nothing at or below `scope` was seen."""
        self.gaps.append(Gap(scope, reason, message))

    def flush(self) -> None:
        """Write what is still pending."""
        for name, pending in self._pending.items():
            if pending:
                self._write_pending(self._tables[name])

    def _write_pending(self, table: Table) -> None:
        pending = self._pending[table.name]
        self._write(table, arrow_table(table.columns, pending))
        pending.clear()

    def _write(self, table: Table, landed: pa.Table) -> None:
        files = self.files[table.name]
        name = f"{table.name}-{len(files)}.parquet"
        content = pa.BufferOutputStream()
        pq.write_table(landed, content, coerce_timestamps="us")
        self._storage.write(name, content.getvalue())
        files.append(name)
        self.counts[table.name] += landed.num_rows
