"""The one mechanism of every state table: what changed is appended, what was not seen stays."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.jobs.lake.replay import FIRST, IDS, MAYOR, PLACES, SECOND, THIRD, Replay, at, house


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
