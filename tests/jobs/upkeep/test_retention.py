"""What retention takes away: whole eras, days and generations, and never what somebody may still ask for."""

from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.lake.read import open_reader
from jobs.lake.snapshot_id import logical_time
from jobs.upkeep.retention import Retention
from schemas.registry import tables

DAYS = [f"202611{day:02}T000000Z" for day in range(1, 11)]
NOW = datetime(2026, 11, 10, 12, tzinfo=UTC)


def three_eras(lake: Any) -> None:
    """Topic a gains a partition a day; the 4th and the 7th open an era."""
    era = DAYS[0]
    for number, snapshot_id in enumerate(DAYS, 1):
        lake.change(
            "topics", snapshot_id, "update" if number > 1 else "keyframe", era, topic="a", partitions=number
        )
        if number in (4, 7):
            era = snapshot_id
            lake.change("topics", snapshot_id, "keyframe", era, topic="a", partitions=number)
        at = logical_time(snapshot_id)
        lake.append(
            "events",
            [
                {
                    "event": "partitions-added",
                    "since_snapshot_id": DAYS[0],
                    "since_at": at,
                    "subject": "a",
                    "captured_at": at,
                    "snapshot_id": snapshot_id,
                    "written_by": snapshot_id,
                }
            ],
        )
        lake.append(
            "quorum_progress",
            [
                {
                    "node_id": 1,
                    "captured_at": at,
                    "day": at.date(),
                    "snapshot_id": snapshot_id,
                    "written_by": snapshot_id,
                }
            ],
        )
        lake.commit(snapshot_id, written_by=snapshot_id)


def parts(lake: Any, table: str, keep_days: int | None = None, series_days: int = 14) -> list[str]:
    keep = Retention(lake.storage, "orders", NOW, keep_days, series_days)
    return [part.part for part in keep.outdated(tables()[table])]


def drop(lake: Any, table: str, **kept: int) -> None:
    keep = Retention(lake.storage, "orders", NOW, kept.get("keep_days"), kept.get("series_days", 14))
    for part in keep.outdated(tables()[table]):
        keep.drop(part)
    assert keep.outdated(tables()[table]) == []


def ask(lake: Any, sql: str) -> list[tuple[Any, ...]]:
    return open_reader(lake.storage, ["orders"]).query(sql).rows


def test_without_a_limit_everything_stays(lake: Any) -> None:
    three_eras(lake)
    assert [parts(lake, name) for name in ("topics", "events", "quorum_progress", "snapshots")] == [[]] * 4


def test_an_era_goes_when_the_next_one_was_open_at_the_oldest_instant_that_is_kept(lake: Any) -> None:
    three_eras(lake)
    assert parts(lake, "topics", keep_days=6) == [f"era {DAYS[0]}"]
    assert parts(lake, "topics", keep_days=7) == []
    assert parts(lake, "topics", keep_days=3) == [f"era {DAYS[0]}", f"era {DAYS[3]}"]
    drop(lake, "topics", keep_days=6)
    assert ask(lake, "SELECT partitions FROM topics_at('2026-11-04 12:00')") == [(4,)]
    history = ask(lake, "SELECT partitions FROM topics_history ORDER BY valid_from")
    assert history == [(number,) for number in range(4, 11)]


def test_the_newest_era_stays_however_old_it_is(lake: Any) -> None:
    three_eras(lake)
    later = NOW + timedelta(days=1000)
    outdated = Retention(lake.storage, "orders", later, 1, 14).outdated(tables()["topics"])
    assert [part.part for part in outdated] == [f"era {DAYS[0]}", f"era {DAYS[3]}"]


def test_a_series_loses_its_days_and_a_log_what_is_older_than_the_oldest_instant(lake: Any) -> None:
    three_eras(lake)
    assert parts(lake, "quorum_progress", series_days=8) == ["day 2026-11-01"]
    drop(lake, "quorum_progress", series_days=8)
    assert ask(lake, "SELECT count(*) FROM quorum_progress") == [(9,)]
    assert parts(lake, "events", keep_days=6) == [f"before {DAYS[3]}"]
    drop(lake, "events", keep_days=6)
    assert ask(lake, "SELECT min(snapshot_id), count(*) FROM events") == [(DAYS[3], 7)]


def test_the_commits_always_stay(lake: Any) -> None:
    three_eras(lake)
    assert parts(lake, "snapshots", keep_days=1) == []


def test_an_era_that_an_attempt_opened_which_never_counted_goes(lake: Any) -> None:
    three_eras(lake)
    row = {"topic": "a", "partitions": 9, "op": "keyframe", "changed_at": NOW, "snapshot_id": DAYS[5]}
    lake.append("topics", [row | {"written_by": f"{DAYS[5]}.2", "era": f"{DAYS[5]}.2"}])
    lake.append("topics", [row | {"written_by": "20261111T000000Z", "era": "20261111T000000Z"}])
    assert parts(lake, "topics") == [f"era {DAYS[5]}.2"]


def test_a_generation_goes_when_a_newer_one_counts(lake: Any) -> None:
    three_eras(lake)
    row = {"topic": "a", "op": "keyframe", "changed_at": NOW, "snapshot_id": DAYS[0], "written_by": DAYS[0]}
    lake.append("topics", [row | {"era": DAYS[0], "partitions": 5, "generation": 1}])
    assert parts(lake, "topics") == ["generation 1"]  # nothing committed it: a rebuild ended early
    (again,) = ask(lake, f"SELECT * FROM snapshots WHERE snapshot_id = '{DAYS[9]}'")
    columns = open_reader(lake.storage, ["orders"]).query("SELECT * FROM snapshots LIMIT 1").columns
    commit = dict(zip(columns, again, strict=True)) | {
        "generation": 1,
        "committed_at": NOW,
        "written_by": DAYS[9],
    }
    lake.append("snapshots", [commit])
    assert parts(lake, "topics") == ["generation 0"]
    drop(lake, "topics")
    assert ask(lake, "SELECT partitions FROM topics") == [(5,)]
