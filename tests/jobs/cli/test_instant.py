"""T, a point in time, in every form, also on the days on which clocks change."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from jobs.cli.instant import period, point_in_time
from jobs.errors import UsageError

NOW = datetime(2026, 11, 21, 9, 15, 30, tzinfo=UTC)


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def call(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield call
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("given", "instant"),
    [
        ("2026-11-21T00:30", datetime(2026, 11, 21, 0, 30, tzinfo=UTC)),
        ("2026-11-21 00:30:05Z", datetime(2026, 11, 21, 0, 30, 5, tzinfo=UTC)),
        ("2026-11-21T00:30+01:00", datetime(2026, 11, 20, 23, 30, tzinfo=UTC)),
        ("2026-11-17", datetime(2026, 11, 17, tzinfo=UTC)),
        ("-2h", datetime(2026, 11, 21, 7, 15, 30, tzinfo=UTC)),
        ("-30m", datetime(2026, 11, 21, 8, 45, 30, tzinfo=UTC)),
        ("-7d", datetime(2026, 11, 14, 9, 15, 30, tzinfo=UTC)),
    ],
)
def test_an_instant_is_utc_and_so_long_ago_is_counted_from_now(
    in_zone: Callable[[str], None], given: str, instant: datetime
) -> None:
    in_zone("America/New_York")
    assert point_in_time(given, NOW) == instant


def test_a_snapshot_id_stays_as_it_is() -> None:
    assert point_in_time("20261121T003000Z", NOW) == "20261121T003000Z"


@pytest.mark.parametrize(
    ("zone", "given", "instant"),
    [
        ("Europe/Berlin", "yesterday 14:00", datetime(2026, 11, 20, 13, tzinfo=UTC)),
        ("Europe/Berlin", "today 09:30", datetime(2026, 11, 21, 8, 30, tzinfo=UTC)),
        ("Europe/Berlin", "9:30", datetime(2026, 11, 21, 8, 30, tzinfo=UTC)),
        ("Europe/Berlin", "14:00", datetime(2026, 11, 20, 13, tzinfo=UTC)),
        ("Europe/Berlin", "10:15:31", datetime(2026, 11, 20, 9, 15, 31, tzinfo=UTC)),
        ("Pacific/Auckland", "today 00:30", datetime(2026, 11, 20, 11, 30, tzinfo=UTC)),
        ("Pacific/Honolulu", "yesterday 23:00", datetime(2026, 11, 20, 9, tzinfo=UTC)),
    ],
)
def test_a_time_of_day_is_of_the_users_zone_and_without_a_day_the_last_one(
    in_zone: Callable[[str], None], zone: str, given: str, instant: datetime
) -> None:
    in_zone(zone)
    assert point_in_time(given, NOW) == instant


def test_a_time_that_comes_twice_names_both_instants(in_zone: Callable[[str], None]) -> None:
    in_zone("Europe/Berlin")
    now = datetime(2026, 10, 25, 9, tzinfo=UTC)
    with pytest.raises(UsageError, match=r"twice.*write 2026-10-25T00:30Z or 2026-10-25T01:30Z"):
        point_in_time("today 02:30", now)
    assert point_in_time("today 01:59", now) == datetime(2026, 10, 24, 23, 59, tzinfo=UTC)
    assert point_in_time("today 03:00", now) == datetime(2026, 10, 25, 2, tzinfo=UTC)
    assert point_in_time("-7h", now) == datetime(2026, 10, 25, 2, tzinfo=UTC)


def test_a_time_that_never_was_names_those_beside_it(in_zone: Callable[[str], None]) -> None:
    in_zone("Europe/Berlin")
    now = datetime(2026, 3, 30, 9, tzinfo=UTC)
    with pytest.raises(UsageError, match=r"never was.*write 01:30 or 03:30"):
        point_in_time("yesterday 02:30", now)
    assert point_in_time("yesterday 01:59", now) == datetime(2026, 3, 29, 0, 59, tzinfo=UTC)
    assert point_in_time("yesterday 03:00", now) == datetime(2026, 3, 29, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "given",
    [
        "yesterday",
        "noon",
        "25:00",
        "today 9",
        "-2w",
        "2h",
        "-h",
        "-99999999999d",
        "2026-13-01",
        "",
        "-2h ago",
    ],
)
def test_any_other_form_is_refused_with_the_forms_there_are(given: str) -> None:
    with pytest.raises(
        UsageError, match=r"is no point in time; write 2026-11-21T00:30 .*'yesterday 14:00'.*-2h"
    ):
        point_in_time(given, NOW)


def test_a_period_ends_after_it_begins() -> None:
    assert period("20261121T140000Z", None) == ("20261121T140000Z", None)
    assert period("2026-11-21", "20261121T140000Z")[1] == "20261121T140000Z"
    for since, until in (("-1h", "-2h"), ("20261121T141000Z", "20261121T140000Z")):
        with pytest.raises(UsageError, match=f"'{until}' is .* not after '{since}'"):
            period(since, until)
