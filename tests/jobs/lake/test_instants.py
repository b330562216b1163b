"""`X_at(instant)` reads the eras that a query asks for, and every era where that cannot be told."""

from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.lake.instants import instants_asked
from jobs.lake.read import open_reader
from jobs.lake.sight import Sight
from schemas.registry import tables

FIRST, SECOND, THIRD = "20261121T000000Z", "20261121T001000Z", "20261121T002000Z"
FUNCTIONS = {"topics_at", "brokers_at"}


@pytest.mark.parametrize(
    ("argument", "instant"),
    [
        ("'2026-11-21 00:10'", datetime(2026, 11, 21, 0, 10, tzinfo=UTC)),
        ("'2026-11-21 01:10+01:00'", datetime(2026, 11, 21, 0, 10, tzinfo=UTC)),
        ("TIMESTAMPTZ '2026-11-22 00:10Z' - INTERVAL 1 DAY", datetime(2026, 11, 21, 0, 10, tzinfo=UTC)),
        ("(SELECT DATE '2026-11-21')", datetime(2026, 11, 21, tzinfo=UTC)),
    ],
)
def test_an_instant_is_known_that_depends_on_no_rows(argument: str, instant: datetime) -> None:
    sql = f"WITH earlier AS (SELECT * FROM topics_AT({argument})) SELECT * FROM earlier"
    assert instants_asked(sql, FUNCTIONS) == {"topics_at": [instant]}


@pytest.mark.parametrize(
    "asked",
    [
        "(SELECT max(captured_at) FROM snapshots)",
        "s.captured_at",
        "'yesterday'",
        "NULL",
        "",
        "(SELECT content FROM read_text('/etc/hostname'))",
    ],
)
def test_an_instant_is_unknown_that_depends_on_rows_or_is_none(asked: str) -> None:
    sql = f"FROM snapshots s, topics_at('2026-11-21'), topics_at({asked}), brokers_at('2026-11-21')"
    assert instants_asked(sql, FUNCTIONS) == {"brokers_at": [datetime(2026, 11, 21, tzinfo=UTC)]}


def test_what_is_no_sql_asks_for_nothing() -> None:
    assert instants_asked("SELECT FROM topics_at('2026-11-21') FROM", FUNCTIONS) == {}


@pytest.fixture
def eras(two_snapshots: Any) -> Any:
    """A third snapshot opens an era, in which only topic a is left."""
    for topic in "bd":
        two_snapshots.change("topics", THIRD, "delete", FIRST, topic=topic, partitions=2)
    two_snapshots.change("topics", THIRD, "keyframe", THIRD, topic="a", partitions=1)
    two_snapshots.commit(THIRD)
    return two_snapshots


def test_only_the_era_that_was_open_then_is_read(eras: Any) -> None:
    sight = Sight(eras.storage, "orders")
    files = sight.files(tables()["topics"])

    def open_at(*minutes: int) -> set[str]:
        instants = [datetime(2026, 11, 21, 0, minute, 5, tzinfo=UTC) for minute in minutes]
        return {file.era for file in sight.open_at(files, instants)}

    assert open_at(19) == {FIRST}
    assert open_at(20) == {THIRD}
    assert open_at(10, 59) == {FIRST, THIRD}
    assert sight.open_at(files, [datetime(2026, 11, 20, tzinfo=UTC)]) == []


def test_several_instants_of_one_query_are_answered_each_of_its_own_era(eras: Any) -> None:
    asked = (
        "SELECT (SELECT count(*) FROM topics_at('2026-11-21 00:15')), (SELECT count(*) FROM topics_at('2026-11-21 00:25')), "
        "(SELECT count(*) FROM topics_at('2026-11-20')), (SELECT count(*) FROM topics_at((SELECT min(captured_at) FROM snapshots)))"
    )
    assert open_reader(eras.storage, ["orders"]).query(asked).rows == [(3, 1, 0, 3)]
