"""What a reader sees of the past: intervals, eras, and the state at an instant."""

from typing import Any

import pytest

from jobs.lake.read import open_reader
from tests.jobs.lake.conftest import AT_FIRST, AT_SECOND, AT_THIRD, FIRST, SECOND, THIRD, topics


@pytest.fixture
def two_eras(two_snapshots: Any) -> Any:
    """A third snapshot gives b a third partition and opens an era: its change to the old, a keyframe to the new."""
    two_snapshots.change("topics", THIRD, "update", FIRST, topic="b", partitions=3)
    kept = {"op": "keyframe", "era": THIRD, "written_by": THIRD}
    two_snapshots.append(
        "topics",
        [
            {**kept, "topic": "a", "partitions": 1, "changed_at": AT_FIRST, "snapshot_id": FIRST},
            {**kept, "topic": "b", "partitions": 3, "changed_at": AT_THIRD, "snapshot_id": THIRD},
            {**kept, "topic": "d", "partitions": 4, "changed_at": AT_SECOND, "snapshot_id": SECOND},
        ],
    )
    two_snapshots.commit(THIRD)
    return two_snapshots


def test_the_keyframe_of_a_new_era_changes_nothing_but_where_it_is_read(two_eras: Any) -> None:
    assert topics(two_eras) == [("a", 1), ("b", 3), ("d", 4)]
    assert topics(two_eras, AT_SECOND) == [("a", 1), ("b", 2), ("d", 4)]


def test_history_is_intervals_that_neither_overlap_nor_repeat_a_keyframe(two_eras: Any) -> None:
    answer = open_reader(two_eras.storage, ["orders"]).query(
        "SELECT topic, partitions, valid_from, valid_to, snapshot_id FROM topics_history ORDER BY topic, valid_from"
    )

    assert answer.rows == [
        ("a", 1, AT_FIRST, None, FIRST),
        ("b", 1, AT_FIRST, AT_SECOND, FIRST),
        ("b", 2, AT_SECOND, AT_THIRD, SECOND),
        ("b", 3, AT_THIRD, None, THIRD),
        ("c", 1, AT_FIRST, AT_SECOND, FIRST),
        ("d", 4, AT_SECOND, None, SECOND),
    ]


def test_history_starts_with_the_keyframe_of_the_oldest_era_that_is_kept(two_eras: Any) -> None:
    from deltalake import DeltaTable

    DeltaTable(two_eras.root / "orders" / "topics").delete(f"era = '{FIRST}'")

    answer = open_reader(two_eras.storage, ["orders"]).query(
        "SELECT topic, valid_from, snapshot_id FROM topics_history ORDER BY topic"
    )
    assert answer.rows == [("a", AT_FIRST, FIRST), ("b", AT_THIRD, THIRD), ("d", AT_SECOND, SECOND)]


def test_history_may_begin_with_the_era_that_was_open_at_a_snapshot(two_eras: Any) -> None:
    reader = open_reader(two_eras.storage, ["orders"])
    asked = "SELECT topic, partitions, valid_from, valid_to FROM topics_history ORDER BY ALL"
    since_third = [("a", 1, AT_FIRST, None), ("b", 3, AT_THIRD, None), ("d", 4, AT_SECOND, None)]
    assert reader.with_history_from(THIRD).query(asked).rows == since_third
    assert reader.with_history_from(SECOND).query(asked).rows == reader.query(asked).rows
    assert reader.with_history_from(THIRD).query("SELECT count(*) FROM topics").rows == [(3,)]


def test_a_state_can_be_asked_for_at_an_instant_inside_a_query(two_eras: Any) -> None:
    reader = open_reader(two_eras.storage, ["orders"])

    def at(instant: str) -> list[tuple[Any, ...]]:
        return reader.query(f"SELECT topic, partitions FROM topics_at('{instant}') ORDER BY topic").rows

    assert at("2026-11-21 00:00:04") == []
    assert at("2026-11-21 00:10:04") == [("a", 1), ("b", 1), ("c", 1)]
    assert at("2026-11-21 00:10:05") == [("a", 1), ("b", 2), ("d", 4)]
    assert at("2026-11-22 00:00:00") == [("a", 1), ("b", 3), ("d", 4)]
