"""Since when a change may be: where no snapshot looked, none can tell."""

from datetime import UTC, datetime

from jobs.lake.commits import Commit
from jobs.process.since import Coverage, last_seen


def coverage(minute: int, *gaps: str) -> Coverage:
    at = datetime(2026, 11, 21, 14, minute, tzinfo=UTC)
    id_ = f"20261121T14{minute:02}00Z"
    return Commit(id_, id_, 0, at, at, "partial", "zookeeper", "0.1.0", ["zookeeper"], []), frozenset(gaps)


def since(coverages: list[Coverage], *scopes: str | None) -> dict[str | None, str]:
    return {scope: commit.snapshot_id for scope, commit in last_seen(coverages, scopes).items()}


def test_a_change_is_since_the_newest_snapshot_that_saw_its_place() -> None:
    newest_first = [coverage(20, "/brokers"), coverage(10, "/brokers/topics/a"), coverage(0)]
    assert since(newest_first, "/config/topics/a", "/brokers/topics/b", "/brokers/topics/a") == {
        "/config/topics/a": "20261121T142000Z",
        "/brokers/topics/b": "20261121T141000Z",
        "/brokers/topics/a": "20261121T140000Z",
    }


def test_a_place_that_no_snapshot_saw_has_no_since() -> None:
    assert since([coverage(10, "/brokers"), coverage(0, "/")], "/brokers/ids/1") == {}


def test_a_row_that_does_not_say_where_it_stands_was_seen_by_a_snapshot_that_saw_everything() -> None:
    assert since([coverage(10, "/a"), coverage(0)], None) == {None: "20261121T140000Z"}
    assert since([coverage(10, "/a")], None) == {}


def test_every_snapshot_is_asked_however_many_lacked_something_else() -> None:
    newest_first = [coverage(59 - each, "/a", f"/other/{each}") for each in range(59)]
    assert since([*newest_first, coverage(0)], "/a", "/b") == {
        "/a": "20261121T140000Z",
        "/b": "20261121T145900Z",
    }
