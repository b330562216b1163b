"""Eras: a keyframe opens each, and nobody who asks the lake can tell where."""

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.lake.eras import EraLimits
from tests.jobs.lake.replay import FIRST, IDS, MAYOR, PLACES, SECOND, THIRD, Replay, at, house

OFTEN = EraLimits(rows=1)
HISTORY = "SELECT street, number, colour, valid_from, valid_to FROM places_history ORDER BY valid_from"


def written(town: Replay, snapshot_id: str) -> set[tuple[Any, ...]]:
    """Era, op, number, and the snapshot that changed it last, of every row that a snapshot wrote."""
    return {
        (row["era"], row["op"], row["number"], row["snapshot_id"])
        for row in town.stored
        if row["written_by"] == snapshot_id
    }


def test_an_era_that_grew_long_ends_with_the_changes_that_a_keyframe_of_the_next_repeats() -> None:
    town = Replay(PLACES, EraLimits(rows=2))
    town.snapshot(FIRST, house("elm", 1), house("elm", 2))
    town.snapshot(SECOND, house("elm", 1, "blue"), house("elm", 3))
    assert {era for era, *_ in written(town, SECOND)} == {FIRST}
    town.snapshot(THIRD, house("elm", 1, "blue"), house("elm", 4))
    assert written(town, THIRD) == {
        (FIRST, "delete", 3, THIRD),
        (FIRST, "create", 4, THIRD),
        (THIRD, "keyframe", 1, SECOND),
        (THIRD, "keyframe", 4, THIRD),
    }
    assert town.now("number", "changed_at") == [(1, at(SECOND)), (4, at(THIRD))]


def test_an_era_goes_on_until_its_changes_outgrow_half_a_keyframe() -> None:
    town, many = Replay(PLACES, OFTEN), [house("elm", number) for number in range(10)]
    town.snapshot(FIRST, *many)
    for snapshot_id, colour in zip(IDS[1:], ("a", "b", "c", "d", "e"), strict=False):
        town.snapshot(snapshot_id, house("elm", 0, colour), house("elm", 1, colour), *many[2:])
    assert {row["era"] for row in town.stored} == {FIRST, IDS[4]}


def test_an_era_ends_after_its_days_and_after_its_files() -> None:
    for limits in (EraLimits(days=0.01), EraLimits(files=1)):
        town = Replay(PLACES, limits)
        town.snapshot(FIRST, house("elm", 1))
        town.snapshot(SECOND, house("elm", 1, "blue"))
        town.snapshot(THIRD, house("elm", 1, "red"))
        assert {row["era"] for row in town.stored} == {FIRST, THIRD}


def test_a_table_without_a_key_has_eras_too() -> None:
    town = Replay(MAYOR, EraLimits(rows=0))
    for snapshot_id, name in zip(IDS, "abcdef", strict=True):
        town.snapshot(snapshot_id, {"name": name})
    assert len({row["era"] for row in town.stored}) > 2
    assert town.now() == [("f",)]
    assert [name for (name,) in town.query("SELECT name FROM mayor_history ORDER BY valid_from")] == [
        *"abcdef"
    ]


def test_a_table_that_stays_empty_at_first_belongs_to_the_era_of_the_first_snapshot() -> None:
    town = Replay(PLACES)
    assert town.snapshot(FIRST) == []
    assert town.snapshot(SECOND, house("elm", 1)) == [("create", "elm", 1, "red", [])]
    assert {row["era"] for row in town.stored} == {FIRST}
    assert town.query("SELECT valid_from FROM places_history") == [(at(SECOND),)]


def test_a_keyframe_of_an_attempt_that_was_not_committed_opens_no_era() -> None:
    town = Replay(PLACES, OFTEN)
    for snapshot_id, colour in ((FIRST, "red"), (SECOND, "blue"), (THIRD, "green")):
        town.snapshot(snapshot_id, house("elm", 1, colour))
    ended_early = [
        {**row, "written_by": IDS[3], "era": IDS[3], "op": "keyframe", "colour": "grey"}
        for row in town.stored[-1:]
    ]
    town.lake.append(PLACES, ended_early)
    assert town.now("colour") == [("green",)]
    town.snapshot(IDS[4], house("elm", 1, "white"))
    assert town.now("colour") == [("white",)]
    assert [colour for _, _, colour, *_ in town.query(HISTORY)] == ["red", "blue", "green", "white"]


colours = st.sampled_from([None, "red", "blue"])
moments = st.lists(st.lists(colours, min_size=4, max_size=4), min_size=len(IDS), max_size=len(IDS))


@settings(
    max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
@given(moments=moments, rows=st.integers(0, 6))
def test_wherever_eras_open_the_lake_answers_what_the_snapshots_saw(
    moments: list[list[str | None]], rows: int
) -> None:
    town = Replay(PLACES, EraLimits(rows=rows))
    states = [
        {number: colour for number, colour in zip((None, 1, 2, 3), seen, strict=True) if colour}
        for seen in moments
    ]
    for snapshot_id, state in zip(IDS, states, strict=True):
        town.snapshot(snapshot_id, *(house("elm", number, colour) for number, colour in state.items()))
    assert town.now("number", "colour") == sorted(states[-1].items(), key=str)
    for snapshot_id, state in zip(IDS, states, strict=True):
        asked = f"SELECT number, colour FROM places_at('{at(snapshot_id)}')"
        assert sorted(town.query(asked), key=str) == sorted(state.items(), key=str)
    assert sorted(town.query(HISTORY), key=str) == sorted(_intervals(states), key=str)


def _intervals(states: Sequence[dict[int | None, str]]) -> list[tuple[Any, ...]]:
    """What `places_history` has to show: of each house the colours it had, and from when to when."""
    found = []
    for number in (None, 1, 2, 3):
        colour, since = None, at(FIRST)
        for snapshot_id, state in [*zip(IDS, states, strict=True), (None, {})]:
            now = state.get(number) if snapshot_id else object()
            if now == colour:
                continue
            if colour:
                found.append(("elm", number, colour, since, at(snapshot_id) if snapshot_id else None))
            colour, since = (now, at(snapshot_id)) if snapshot_id else (None, since)  # type: ignore[assignment]
    return found
