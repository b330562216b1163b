"""What is committed of a cluster: asked for piece by piece, whatever the number of snapshots."""

import shutil
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobs.errors import VarveError
from jobs.lake.sight import Sight
from schemas.registry import tables

FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}000Z" for minute in range(4))
NO_TOPICS = ("zookeeper", "/brokers/topics", "unauthorized", "may not be read")


def sight(lake: Any, at: datetime | str | None = None) -> Sight:
    return Sight(lake.storage, "orders", at)


def coverages(lake: Any, source: str) -> list[tuple[str, set[str]]]:
    return [(commit.snapshot_id, set(gaps)) for commit, gaps in sight(lake).coverages(source)]


def test_a_lake_without_a_commit_has_neither_first_nor_last(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    empty = sight(lake)
    assert (empty.first, empty.last, empty.count) == (None, None, 0)
    assert FIRST not in empty
    assert empty.files(tables()["topics"]) == []
    assert list(empty.coverages("zookeeper")) == []


def test_the_first_and_the_last_commit_are_found_up_to_the_snapshot_that_is_asked_for(lake: Any) -> None:
    for snapshot_id in (FIRST, SECOND, THIRD):
        lake.commit(snapshot_id, written_by=f"{snapshot_id}.2")
    for at in (SECOND, datetime(2026, 11, 21, 14, 15, tzinfo=UTC)):
        seen = sight(lake, at)
        assert (seen.first and seen.first.snapshot_id, seen.newest.snapshot_id, seen.count) == (
            FIRST,
            SECOND,
            2,
        )
        assert seen.newest.written_by == f"{SECOND}.2"
        assert [each in seen for each in (FIRST, SECOND, THIRD)] == [True, True, False]
        assert seen.commit(THIRD) is None
    assert sight(lake, FIRST[:4]).last is None


def test_what_a_snapshot_did_not_see_is_told_with_its_source(lake: Any) -> None:
    lake.commit(FIRST, NO_TOPICS)
    lake.commit(SECOND)
    seen = sight(lake)
    assert seen.gaps(seen.newest) == ()
    (first,) = [commit for commit in [seen.commit(FIRST)] if commit]
    ((source, gap),) = seen.gaps(first)
    assert (source, gap.scope, gap.reason) == ("zookeeper", "/brokers/topics", "unauthorized")


@pytest.mark.parametrize(("unseen", "stands_in_row"), [(20, True), (21, False)])
def test_few_gaps_are_known_from_the_commit_alone_and_many_from_their_table(
    lake: Any, unseen: int, stands_in_row: bool
) -> None:
    scopes = [f"/brokers/topics/t{number:02}" for number in range(unseen)]
    lake.commit(FIRST, *(("zookeeper", scope, "unauthorized", "no READ right") for scope in scopes))
    assert [gap.scope for _, gap in sight(lake).newest_gaps] == scopes
    shutil.rmtree(Path(lake.root, "orders", "coverage_gaps"))
    assert [gap.scope for _, gap in sight(lake).newest_gaps] == scopes * stands_in_row


def test_of_the_snapshots_that_lacked_the_same_the_newest_is_told_newest_first(lake: Any) -> None:
    lake.commit(FIRST)
    lake.commit(SECOND, NO_TOPICS)
    lake.commit(THIRD, NO_TOPICS)
    assert coverages(lake, "zookeeper") == [(THIRD, {"/brokers/topics"}), (FIRST, set())]
    assert coverages(lake, "kafka") == [(THIRD, set())]
    assert coverages(lake, "log_dirs") == []


def test_a_snapshot_that_followed_another_source_is_told_beside_those_that_lacked_the_same(lake: Any) -> None:
    for snapshot_id, authority in (
        (FIRST, "zookeeper"),
        (SECOND, "zookeeper"),
        (THIRD, "kafka"),
        (FOURTH, "kafka"),
    ):
        lake.commit(snapshot_id, authority=authority)
    assert coverages(lake, "zookeeper") == [(FOURTH, set()), (SECOND, set())]


@pytest.mark.parametrize(
    ("written_by", "is_newer"), [("0.1.9+abc", False), ("0.2.0+abc", True), ("1.0.0", True)]
)
def test_a_lake_that_a_newer_release_wrote_is_refused(lake: Any, written_by: str, is_newer: bool) -> None:
    lake.commit(FIRST, varve_version=written_by)
    with (
        pytest.raises(VarveError, match=f"{FIRST} of orders was written by Varve {written_by[:5]}")
        if is_newer
        else nullcontext()
    ):
        assert sight(lake).newest.snapshot_id == FIRST


def test_what_was_not_committed_was_not_seen(lake: Any) -> None:
    lake.commit(FIRST)
    lake.append(
        "coverage_gaps",
        [
            {
                "snapshot_id": FIRST,
                "written_by": f"{FIRST}.7",
                "source": "zookeeper",
                "scope": "/",
                "reason": "missing",
                "message": "?",
            }
        ],
    )
    assert coverages(lake, "zookeeper") == [(FIRST, set())]
