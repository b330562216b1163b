"""The one mechanism of every state table: what changed is appended, what was not seen stays."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from deltalake import write_deltalake
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.lake.arrow import arrow_schema
from jobs.lake.commits import Commit
from jobs.lake.coverage import is_under, scope_of
from jobs.lake.layout import table_path
from jobs.lake.sandbox import open_sandbox
from jobs.lake.state import Comparison, compare, rows_to_append
from jobs.lake.stored import StoredRows
from jobs.storage import open_storage
from schemas.table import Column, Kind, Table

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

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stored: list[Row] = []
        self._commits: list[Commit] = []
        self._folder = TemporaryDirectory()
        self._storage = open_storage(Path(self._folder.name))

    def compared(self, seen: Sequence[Row], gaps: set[str]) -> Comparison:
        rows = pa.Table.from_pylist(list(seen), arrow_schema(self.table.columns))
        before = self._living().select(self.table.column_names)
        return compare(CONNECTION, before, rows, self.table, is_under(scope_of(self.table, "map"), gaps))

    def appended(self, snapshot_id: str, seen: Sequence[Row], gaps: set[str]) -> list[Row]:
        """The rows a snapshot appends; nothing is stored."""
        changes = self.compared(seen, gaps).changes
        stamps = ("town", snapshot_id, snapshot_id, FIRST, at(snapshot_id))
        return rows_to_append(CONNECTION, changes, self.table, *stamps).to_pylist()

    def store(self, snapshot_id: str, rows: Sequence[Row]) -> None:
        """Append rows and commit the snapshot."""
        self.stored += rows
        if rows:
            data = pa.Table.from_pylist(list(rows), arrow_schema(self.table.stored_columns))
            path = self._storage.location(table_path("town", self.table.name))
            write_deltalake(path, data, mode="append", partition_by=list(self.table.partition_columns))
        when = at(snapshot_id)
        self._commits.append(
            Commit(snapshot_id, snapshot_id, 0, when, when, "complete", "map", "0.1.0", ["map"], [])
        )

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
        return StoredRows(self._storage, "town", self._commits).living(self.table)


def test_the_opening_snapshot_appends_every_row_as_a_keyframe() -> None:
    town = Replay(PLACES)
    assert town.snapshot(FIRST, house("elm", 1), house("oak", 2, None)) == [
        ("keyframe", "elm", 1, "red", []),
        ("keyframe", "oak", 2, None, []),
    ]
    assert {
        tuple(row[n] for n in ("snapshot_id", "written_by", "era", "generation")) for row in town.stored
    } == {(FIRST, FIRST, FIRST, 0)}


def test_later_snapshots_append_only_what_was_created_updated_or_deleted() -> None:
    town = Replay(PLACES)
    town.snapshot(FIRST, house("elm", 1), house("elm", 2, "red", 7), house("elm", 3), house("elm", None))
    changes = town.snapshot(
        SECOND, house("elm", 1), house("elm", 2, "red", 7, 8), house("elm", 4), house("elm", None, None)
    )
    assert changes == [
        ("create", "elm", 4, "red", []),
        ("delete", "elm", 3, "red", []),
        ("update", "elm", 2, "red", [7, 8]),
        ("update", "elm", None, None, []),
    ]
    assert town.now("number", "changed_at") == [
        (1, at(FIRST)),
        (2, at(SECOND)),
        (4, at(SECOND)),
        (None, at(SECOND)),
    ]


def test_the_same_rows_again_append_nothing() -> None:
    town = Replay(PLACES)
    town.snapshot(FIRST, house("elm", 1), house("elm", None, None))
    assert town.snapshot(SECOND, house("elm", None, None), house("elm", 1)) == []


def test_a_deleted_row_may_come_back() -> None:
    town = Replay(PLACES)
    town.snapshot(FIRST, house("elm", 1))
    assert town.snapshot(SECOND) == [("delete", "elm", 1, "red", [])]
    assert town.now() == []
    assert town.snapshot(THIRD, house("elm", 1)) == [("create", "elm", 1, "red", [])]


def test_rows_under_a_gap_stay_whatever_was_seen_there() -> None:
    town = Replay(PLACES)
    town.snapshot(FIRST, house("elm", 1), house("elm", 2), house("oak", 1))
    hidden = town.snapshot(SECOND, house("elm", 2, "blue"), house("elm", 3), gaps={"/elm"})
    assert hidden == [("delete", "oak", 1, "red", [])]
    assert town.now("street", "number", "colour") == [("elm", 1, "red"), ("elm", 2, "red")]


def test_a_table_without_a_key_holds_one_row_that_changes() -> None:
    town = Replay(MAYOR)
    assert town.snapshot(FIRST, {"name": "Ada"}) == [("keyframe", "Ada")]
    assert town.snapshot(SECOND, {"name": None}) == [("update", None)]
    assert town.now() == [(None,)]
    assert town.snapshot(THIRD, gaps={"/mayor"}) == []
    assert town.snapshot(IDS[3]) == [("delete", None)]
    assert town.now() == []


def test_what_is_compared_tells_the_state_after_the_snapshot() -> None:
    town = Replay(PLACES)
    town.snapshot(FIRST, house("elm", 1), house("oak", 1), house("ash", 1))
    compared = town.compared([house("elm", 1), house("fir", 1)], {"/oak"})
    assert sorted(compared.now["street"].to_pylist()) == ["elm", "fir", "oak"]


# For each snapshot: is the street hidden by a gap, and which colour is each of its houses (no colour: no house)?
houses = st.lists(st.sampled_from([None, "red", "blue"]), min_size=4, max_size=4)
streets = st.lists(st.tuples(st.booleans(), houses), min_size=len(IDS), max_size=len(IDS))


@settings(
    max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
@given(histories=st.lists(streets, min_size=12, max_size=12))
def test_a_replayed_history_is_at_every_snapshot_what_was_last_seen(
    histories: list[list[tuple[bool, list[str | None]]]],
) -> None:
    town, known = Replay(PLACES), dict[tuple[str, int | None], str]()
    for turn, snapshot_id in enumerate(IDS):
        gaps, seen = set[str](), []
        for street, (is_hidden, colours) in ((f"s{n}", history[turn]) for n, history in enumerate(histories)):
            numbered = list(zip([None, 1, 2, 3], colours, strict=True))
            # What a collector may have read before it failed is there, too.
            seen += [house(street, number, colour) for number, colour in numbered if colour]
            if is_hidden:
                gaps.add(f"/{street}")
                continue
            known = {key: colour for key, colour in known.items() if key[0] != street}
            known |= {(street, number): colour for number, colour in numbered if colour}
        rows = town.appended(snapshot_id, seen, gaps)
        assert sorted(town.appended(snapshot_id, seen, gaps), key=str) == sorted(rows, key=str)
        town.store(snapshot_id, rows)
        assert town.now("street", "number", "colour") == sorted(((*k, c) for k, c in known.items()), key=str)
