"""Whatever a cluster's history was, the past that is made again of its raw rows is the one that was loaded."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.lake.arrow import arrow_schema
from jobs.lake.commits import Commit
from jobs.lake.coverage import is_under, scope_of
from jobs.lake.eras import EraLimits
from jobs.lake.sight import Sight
from jobs.lake.stored import StoredRows
from jobs.process.state import write_state
from jobs.rebuild.generation import Generation
from jobs.rebuild.raw_past import RawTable
from jobs.rebuild.remade_tables import RemadeTables
from schemas.snapshots import SNAPSHOTS
from schemas.table import Table
from tests.jobs.lake.replay import CONNECTION, IDS, PLACES, Replay, Row, at, house

HOMES = replace(PLACES, name="homes", source="", inputs={"map": ("places",)}, meaning="painted places")
NUMBERS = (None, 1, 2, 3)
GAPS = ((), (), ("/elm/2",), ("/elm/1", "/elm/3"), ("/",))

colours = st.sampled_from([None, "red", "blue", "bare"])
moments = st.lists(
    st.tuples(st.lists(colours, min_size=4, max_size=4), st.sampled_from(GAPS), st.booleans()),
    min_size=len(IDS),
    max_size=len(IDS),
)


def homes(places: pa.Table) -> list[Row]:
    """What the typed table is made of: of a bare place nothing is known."""
    return [row for row in places.to_pylist() if row["colour"] != "bare"]


class Town:
    """Two tables of one lake: `places` as they were read, and `homes`, made of them with each snapshot."""

    def __init__(self, limits: EraLimits) -> None:
        self.places, self.homes = Replay(PLACES, limits), Replay(HOMES, limits)
        self.homes.lake = self.lake = self.places.lake
        self._limits = limits
        self._gaps: dict[str, set[str]] = {}
        self._loaded: list[Row] = []

    def snapshot(self, snapshot_id: str, seen: list[Row], gaps: set[str]) -> None:
        raw = self.places.compared(seen, gaps).now
        rows = {
            "places": self.places.appended(snapshot_id, seen, gaps),
            "homes": self.homes.appended(snapshot_id, homes(raw), gaps),
        }
        self._append(PLACES, rows["places"])
        self._append(HOMES, rows["homes"])
        self._loaded += rows["homes"]
        self.lake.commit(snapshot_id, at=at(snapshot_id), sources=("map",), authority="map")
        self._gaps[snapshot_id] = gaps

    def attempt_that_dies(self, snapshot_id: str, seen: list[Row]) -> None:
        stamp = {"written_by": f"{snapshot_id}.9"}
        for row in self.places.appended(snapshot_id, seen, set()):
            era = f"{snapshot_id}.9" if row["era"] == snapshot_id else row["era"]
            self._append(PLACES, [{**row, **stamp, "era": era}])

    def rebuild(self) -> None:
        storage, sight = self.lake.storage, Sight(self.lake.storage, "town")
        places = RawTable(PLACES, StoredRows(storage, sight).changes(PLACES))
        generation, before = Generation(1, [HOMES], self._limits, IDS[0], CONNECTION), None
        for snapshot_id in IDS:
            commit = cast(Commit, sight.commit(snapshot_id))
            delta = RemadeTables(cast(Any, None), storage, "town", commit, before, generation)
            places.go_on(CONNECTION, snapshot_id)
            made = pa.Table.from_pylist(homes(places.rows), arrow_schema(HOMES.columns))
            is_unseen = is_under(scope_of(HOMES, "map"), self._gaps[snapshot_id])
            write_state(delta, HOMES, made, is_unseen, at(snapshot_id))
            earlier = set(generation.rows_before(HOMES, snapshot_id)["written_by"].to_pylist())
            assert earlier == {row["written_by"] for row in self._loaded if row["written_by"] < snapshot_id}
            before = commit
        self._append(HOMES, generation.rows(HOMES).to_pylist())
        commits = StoredRows(storage, sight).committed(SNAPSHOTS).to_pylist()
        again = {"generation": 1, "committed_at": at("20261122T000000Z")}
        self.lake.append(SNAPSHOTS, [row | again for row in commits])

    def answers(self) -> list[list[tuple[Any, ...]]]:
        """The state now, the history, and the state at each snapshot."""
        then = [f"homes_at('{at(snapshot_id)}')" for snapshot_id in IDS]
        return [
            sorted(self.homes.query(f"SELECT * FROM {view}"), key=str)
            for view in ("homes", "homes_history", *then)
        ]

    def _append(self, table: Table, rows: Sequence[Row]) -> None:
        if rows:
            self.lake.append(table, rows)


@settings(
    max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
@given(moments=moments, rows=st.integers(0, 6))
def test_the_past_that_is_made_again_is_the_one_that_was_loaded(
    moments: list[tuple[list[str | None], tuple[str, ...], bool]], rows: int
) -> None:
    town = Town(EraLimits(rows=rows))
    for snapshot_id, (painted, gaps, dies_first) in zip(IDS, moments, strict=True):
        seen = [
            house("elm", number, colour) for number, colour in zip(NUMBERS, painted, strict=True) if colour
        ]
        if dies_first:
            town.attempt_that_dies(snapshot_id, seen[1:])
        town.snapshot(snapshot_id, seen, set(gaps))
    loaded = town.answers()
    town.rebuild()
    assert town.answers() == loaded
    _is_whole(town)


def _is_whole(town: Town) -> None:
    """One open row for each key that lives, no overlap, no hole."""
    spans = town.homes.query(
        "SELECT number, valid_from, valid_to FROM homes_history ORDER BY number, valid_from"
    )
    living = [number for (number,) in town.homes.query("SELECT number FROM homes")]
    assert sorted((n for n, _, until in spans if until is None), key=str) == sorted(living, key=str)
    for (number, _, until), (following, since, _) in pairwise(spans):
        assert number != following or until <= since
    for snapshot_id in IDS:
        then = town.homes.query(f"SELECT number FROM homes_at('{at(snapshot_id)}')")
        lived = [
            n
            for n, since, until in spans
            if since <= at(snapshot_id) and (not until or at(snapshot_id) < until)
        ]
        assert sorted(lived, key=str) == sorted((number for (number,) in then), key=str)
