"""A state table that grows as the lake's writer lets it grow, read back as its readers read it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from jobs.lake.arrow import arrow_schema
from jobs.lake.catalog import Seen, view_statements
from jobs.lake.coverage import is_under, scope_of
from jobs.lake.eras import EraLimits, Stamp, rows_to_append
from jobs.lake.instants import instants_asked
from jobs.lake.sandbox import open_sandbox
from jobs.lake.sight import Sight
from jobs.lake.state import Comparison, compare
from jobs.lake.stored import StoredRows
from jobs.lake.views import create_bookkeeping, newest_era
from schemas.table import Column, Kind, Table
from tests.jobs.conftest import WrittenLake

CONNECTION = open_sandbox()
IDS = [f"20261121T14{minute:02}00Z" for minute in range(0, 60, 10)]
FIRST, SECOND, THIRD = IDS[:3]

PLACES = Table(
    name="places",
    kind=Kind.STATE,
    meaning="what stands at a place; a place may have no number",
    source="map",
    key=("street", "number"),
    scopes={"map": "/{street}"},
    columns=(
        Column("street", "STRING", "name of the street", required=True),
        Column("number", "INT", "number of the house"),
        Column("colour", "STRING", "colour of the house"),
        Column("tenants", "ARRAY<INT>", "who lives there"),
    ),
)
MAYOR = Table(
    name="mayor",
    kind=Kind.STATE,
    meaning="the mayor; one row",
    source="map",
    key=(),
    scopes={"map": "/mayor"},
    columns=(Column("name", "STRING", "name"),),
)
Row = Mapping[str, Any]


def house(street: str, number: int | None, colour: str | None = "red", *tenants: int) -> Row:
    return {"street": street, "number": number, "colour": colour, "tenants": list(tenants)}


def at(snapshot_id: str) -> datetime:
    return datetime.strptime(snapshot_id, "%Y%m%dT%H%M%S%z").astimezone(UTC)


class Replay:
    """A table that grows as the lake's writer lets it grow, read back as the writer reads it."""

    def __init__(self, table: Table, limits: EraLimits = EraLimits()) -> None:  # noqa: B008 (it is frozen)
        self.table = table
        self.stored: list[Row] = []
        self._limits = limits
        self._folder = TemporaryDirectory()
        self.lake = WrittenLake(Path(self._folder.name), "town")

    def compared(self, seen: Sequence[Row], gaps: set[str]) -> Comparison:
        rows = pa.Table.from_pylist(list(seen), arrow_schema(self.table.columns))
        before = self._living().select(self.table.column_names)
        return compare(CONNECTION, before, rows, self.table, is_under(scope_of(self.table, "map"), gaps))

    def appended(self, snapshot_id: str, seen: Sequence[Row], gaps: set[str]) -> list[Row]:
        """The rows a snapshot appends; nothing is stored."""
        compared, sight = self.compared(seen, gaps), self._sight()
        if not compared.changes.num_rows:
            return []
        newest, first = newest_era(sight.files(self.table)), sight.first
        stamp = Stamp("town", snapshot_id, snapshot_id, 0, at(snapshot_id))
        rows = rows_to_append(
            CONNECTION,
            self.table,
            self._living,
            compared,
            newest,
            first.written_by if first else snapshot_id,
            self._limits,
            stamp,
        )
        return rows.to_pylist()

    def store(self, snapshot_id: str, rows: Sequence[Row]) -> None:
        """Append rows and commit the snapshot."""
        self.stored += rows
        if rows:
            self.lake.append(self.table, rows)
        self.lake.commit(snapshot_id, at=at(snapshot_id))

    def snapshot(self, snapshot_id: str, *seen: Row, gaps: set[str] | None = None) -> list[tuple[Any, ...]]:
        """Store what a snapshot appends; returns each row's op and own columns, sorted."""
        rows = self.appended(snapshot_id, seen, gaps or set())
        self.store(snapshot_id, rows)
        return sorted((tuple(row[n] for n in ("op", *self.table.column_names)) for row in rows), key=str)

    def now(self, *names: str) -> list[tuple[Any, ...]]:
        """The living rows after all that is stored, sorted."""
        rows = self._living().to_pylist()
        return sorted((tuple(row[n] for n in names or self.table.column_names) for row in rows), key=str)

    def _living(self) -> pa.Table:
        return StoredRows(self.lake.storage, self._sight()).living(self.table)

    def _sight(self) -> Sight:
        return Sight(self.lake.storage, "town")

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What the views of the table answer."""
        sight = self._sight()
        files, name = sight.files(self.table), self.table.name
        instants = instants_asked(sql, [f"{name}_at"]).get(f"{name}_at")
        asked_for = files if instants is None else sight.open_at(files, instants)
        with open_sandbox() as connection:
            create_bookkeeping(connection, [sight.committed])
            seen = Seen(files, "town", "true", asked_for)
            for statement in view_statements(self.table, [seen], (name, f"{name}_history", f"{name}_at")):
                connection.execute(statement)
            return connection.execute(sql).fetchall()
