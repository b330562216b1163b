"""The eras of a state table: each opens with a keyframe, every living row once, and goes on with changes only.

Whoever looks back reads one era, so an era ends before its changes cost more to read than its keyframe.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import duckdb
import pyarrow as pa

from jobs.lake.arrow import in_columns
from jobs.lake.duckdb_sql import name, names, text
from jobs.lake.files import StoredFile
from jobs.lake.snapshot_id import logical_time, snapshot_of
from jobs.lake.state import Comparison, members
from schemas.table import Table


@dataclass(frozen=True)
class EraLimits:
    """When the changes of an era are enough: as `history` in varve.yaml says."""

    days: float = 30
    rows: int = 50_000
    files: int = 500

    def are_reached(self, era: Sequence[StoredFile], living: int, snapshot_id: str) -> bool:
        """Whether a snapshot that changes a table of so many living rows opens a new era; `era` are the files of its newest."""
        if not era:
            return False
        changes = sum(file.rows for file in era) - living
        age = logical_time(snapshot_id) - logical_time(snapshot_of(era[0].era))
        return (
            changes > max(self.rows, living / 2) or age >= timedelta(days=self.days) or len(era) > self.files
        )


@dataclass(frozen=True)
class Stamp:
    """What a snapshot stamps on the rows that it appends to a state table."""

    cluster: str
    snapshot_id: str
    written_by: str
    generation: int
    changed_at: datetime


def rows_to_append(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    before: Callable[[], pa.Table],
    compared: Comparison,
    newest: Sequence[StoredFile],
    first_era: str,
    limits: EraLimits,
    stamp: Stamp,
) -> pa.Table:
    """What a snapshot appends to a state table: its changes, and where the newest era is long, the keyframe of the next.

    `before` reads the rows before, in the columns of `StoredRows.living`; `newest` are the files of the newest era. A
    table that was empty until now goes on with the cluster's `first_era`.
    """
    era = newest[0].era if newest else first_era
    rows = [_changes(connection, compared.changes, table, era, stamp)]
    if limits.are_reached(newest, compared.now.num_rows, stamp.snapshot_id):
        rows.append(keyframe(connection, before(), compared.changes, table, stamp))
    return pa.concat_tables(rows)


def _changes(
    connection: duckdb.DuckDBPyConnection, changes: pa.Table, table: Table, era: str, stamp: Stamp
) -> pa.Table:
    """The changes as rows of an era, as a keyframe when this attempt opens the first. A deleted row keeps its last values."""
    op = "CASE op WHEN 'create' THEN 'keyframe' ELSE op END" if era == stamp.written_by else "op"
    values = "SELECT op, coalesce(after, before) AS value FROM changes"
    select = f"SELECT {members(table)}, {op} AS op, $changed_at AS changed_at, $snapshot_id AS snapshot_id FROM ({values})"
    return _stamped(connection, {"changes": changes}, select, table, era, stamp)


def keyframe(
    connection: duckdb.DuckDBPyConnection, before: pa.Table, changes: pa.Table, table: Table, stamp: Stamp
) -> pa.Table:
    """Every living row after a snapshot once more, as the rows that open an era; each keeps what changed it last."""
    same_key = " AND ".join(f"old.{each} IS NOT DISTINCT FROM new.{each}" for each in map(name, table.key))
    stays = f"NOT EXISTS (SELECT 1 FROM changes AS new WHERE {same_key or 'true'})"
    last_change = "$changed_at AS changed_at, $snapshot_id AS snapshot_id"
    select = (
        f"SELECT {names(table.column_names)}, 'keyframe' AS op, changed_at, snapshot_id FROM before AS old WHERE {stays} "
        f"UNION ALL SELECT {members(table)}, 'keyframe' AS op, {last_change} "
        "FROM (SELECT after AS value FROM changes WHERE after IS NOT NULL)"
    )
    tables = {"before": before, "changes": changes}
    return _stamped(connection, tables, select, table, stamp.written_by, stamp)


def _stamped(
    connection: duckdb.DuckDBPyConnection,
    tables: Mapping[str, pa.Table],
    select: str,
    table: Table,
    era: str,
    stamp: Stamp,
) -> pa.Table:
    """The rows of a SELECT over these tables, in a table's stored columns."""
    own = {"cluster": stamp.cluster, "written_by": stamp.written_by, "era": era}
    shown = ", ".join(f"{text(value)} AS {column}" for column, value in own.items())
    with connection.cursor() as cursor:
        for known_as, rows in tables.items():
            cursor.register(known_as, rows)
        rows = cursor.sql(
            f"SELECT *, {shown}, {stamp.generation} AS generation FROM ({select})",
            params={"changed_at": stamp.changed_at, "snapshot_id": stamp.snapshot_id},
        ).to_arrow_table()
    return in_columns([rows], table.stored_columns)
