"""Since when a change may be: where no snapshot looked, none can tell."""

from datetime import UTC, datetime
from typing import Any, cast

import pyarrow as pa
import pytest

from jobs.lake.commits import Commit
from jobs.lake.state import changes_schema
from jobs.lake.write import DeltaTables
from jobs.process.since import Coverage, last_seen, since
from schemas.entities import BROKERS, CONTROLLERS, PARTITIONS
from schemas.table import Table

FIRST, SECOND, THIRD = (f"20261121T14{minute}000Z" for minute in range(3))
REFUSED = ("unauthorized", "no right")
OLD, NEW = {"controller_id": 1, "epoch": 5}, {"controller_id": 2, "epoch": 8}


def coverage(minute: int, *gaps: str) -> Coverage:
    at = datetime(2026, 11, 21, 14, minute, tzinfo=UTC)
    id_ = f"20261121T14{minute:02}00Z"
    commit = Commit(id_, id_, 0, at, at, "partial", "zookeeper", "0.1.0", ["zookeeper"], [], None)
    return Coverage(commit, 0, frozenset(gaps))


def seen_at(coverages: list[Coverage], *scopes: str | None) -> dict[str | None, str]:
    found = last_seen(coverages, [(scope,) for scope in scopes])
    return {place[0]: commit.snapshot_id for place, commit in found.items()}


def test_a_change_is_since_the_newest_snapshot_that_saw_its_place() -> None:
    newest_first = [coverage(20, "/brokers"), coverage(10, "/brokers/topics/a"), coverage(0)]
    assert seen_at(newest_first, "/config/topics/a", "/brokers/topics/b", "/brokers/topics/a") == {
        "/config/topics/a": "20261121T142000Z",
        "/brokers/topics/b": "20261121T141000Z",
        "/brokers/topics/a": "20261121T140000Z",
    }


def test_a_place_that_no_snapshot_saw_has_no_since() -> None:
    assert seen_at([coverage(10, "/brokers"), coverage(0, "/")], "/brokers/ids/1") == {}


def test_a_row_that_does_not_say_where_it_stands_was_seen_by_a_snapshot_that_saw_everything() -> None:
    assert seen_at([coverage(10, "/a"), coverage(0)], None) == {None: "20261121T140000Z"}
    assert seen_at([coverage(10, "/a")], None) == {}


def test_every_snapshot_is_asked_however_many_lacked_something_else() -> None:
    newest_first = [coverage(59 - each, "/a", f"/other/{each}") for each in range(59)]
    assert seen_at([*newest_first, coverage(0)], "/a", "/b") == {
        "/a": "20261121T140000Z",
        "/b": "20261121T145900Z",
    }


def told(lake: Any, table: Table, *pairs: tuple[dict[str, Any] | None, dict[str, Any] | None]) -> list[Any]:
    """Since which snapshot each change (row before, row after) is for the third snapshot of the lake."""
    delta = DeltaTables(cast(Any, None), lake.storage, "orders", THIRD, THIRD)
    rows = [
        {name: (after or before or {}).get(name) for name in table.key}
        | {"op": "create" if before is None else "delete" if after is None else "update"}
        | {"before": before, "after": after}
        for before, after in pairs
    ]
    commits = since(delta, table, pa.Table.from_pylist(rows, changes_schema(table)))
    return [commit and commit.snapshot_id for commit in commits]


def test_each_snapshot_is_asked_in_the_source_that_the_table_followed_then(lake: Any) -> None:
    """The authority has moved to the Kafka API, which both earlier snapshots read too: the rows are not from there."""
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/brokers/ids/1", *REFUSED))
    changed = [({"broker_id": each, "rack": "a"}, {"broker_id": each, "rack": "b"}) for each in (1, 2)]
    assert told(lake, BROKERS, *changed, (None, {"broker_id": 1}), ({"broker_id": 2}, None)) == [
        FIRST,
        SECOND,
        FIRST,
        SECOND,
    ]


def test_a_snapshot_that_followed_another_source_counts_with_that_one(lake: Any) -> None:
    lake.commit(FIRST, authority="kafka")
    lake.commit(SECOND, ("kafka", "/cluster/brokers", *REFUSED), authority="zookeeper")
    assert told(lake, BROKERS, ({"broker_id": 1, "rack": "a"}, {"broker_id": 1})) == [SECOND]
    lake.commit(THIRD, ("kafka", "/cluster/brokers", *REFUSED), authority="kafka")
    assert told(lake, BROKERS, ({"broker_id": 1, "rack": "a"}, {"broker_id": 1})) == [SECOND]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (OLD, NEW, FIRST),
        (OLD, OLD | {"controller_id": 2}, SECOND),
        (OLD | {"epoch": None}, NEW, SECOND),  # no snapshot had seen it, so nothing is compared
        (OLD, None, SECOND),
    ],
)
def test_a_value_from_a_place_of_its_own_is_since_the_newest_snapshot_that_saw_that_place(
    lake: Any, before: dict[str, int], after: dict[str, int] | None, expected: str
) -> None:
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/controller_epoch", *REFUSED))
    assert told(lake, CONTROLLERS, (before, after)) == [expected]


def test_a_reassignment_that_ended_unseen_did_so_since_the_reassignments_were_seen(lake: Any) -> None:
    lake.commit(FIRST, authority="kafka")
    lake.commit(SECOND, ("kafka", "/reassignments", *REFUSED), authority="kafka")
    partition = {"topic": "orders", "partition": 0, "replicas": [1, 2], "adding": [2], "leader": 1}
    pairs = (partition, partition | {"adding": []}), (partition, partition | {"leader": 2})
    assert told(lake, PARTITIONS, *pairs) == [FIRST, SECOND]
