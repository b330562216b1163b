"""What a reader sees: committed snapshots, whole, and nothing else."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.errors import UsageError, VarveError
from jobs.lake import read
from jobs.lake.read import NoSnapshotError, open_reader
from jobs.lake.sight import Sight
from jobs.side_by_side import side_by_side
from schemas.registry import tables
from tests.jobs.lake.conftest import AT_FIRST, AT_SECOND, AT_THIRD, FIRST, SECOND, THIRD, topics


def test_a_state_shows_each_living_row_as_it_was_last_changed(two_snapshots: Any) -> None:
    assert topics(two_snapshots) == [("a", 1), ("b", 2), ("d", 4)]


def test_a_state_tells_when_and_by_which_snapshot_a_row_was_last_changed(two_snapshots: Any) -> None:
    answer = open_reader(two_snapshots.storage, ["orders"]).query(
        "SELECT * FROM topics WHERE topic IN ('a', 'b') ORDER BY topic"
    )

    assert answer.columns[0] == "cluster"
    assert answer.columns[-3:] == ("changed_at", "snapshot_id", "is_current")
    assert [row[-3:] for row in answer.rows] == [(AT_FIRST, FIRST, True), (AT_SECOND, SECOND, True)]


def test_an_instant_between_two_snapshots_shows_the_earlier(two_snapshots: Any) -> None:
    assert topics(two_snapshots, datetime(2026, 11, 21, 0, 10, 4, tzinfo=UTC)) == [
        ("a", 1),
        ("b", 1),
        ("c", 1),
    ]
    assert topics(two_snapshots, AT_SECOND) == [("a", 1), ("b", 2), ("d", 4)]


def test_an_instant_is_one_snapshot_though_the_times_of_capture_in_an_old_lake_do_not_grow(lake: Any) -> None:
    for snapshot_id, at, partitions in ((FIRST, AT_SECOND, 1), (SECOND, AT_FIRST, 2), (THIRD, AT_THIRD, 3)):
        lake.change(
            "topics",
            snapshot_id,
            "keyframe" if partitions == 1 else "update",
            FIRST,
            topic="a",
            partitions=partitions,
        )
        lake.commit(snapshot_id, at=at)
    assert topics(lake, AT_FIRST) == [("a", 2)]
    asked = "SELECT partitions FROM topics_at('2026-11-21 00:00:05')"
    assert open_reader(lake.storage, ["orders"]).query(asked).rows == [(2,)]


def test_only_the_rows_of_the_attempt_that_was_committed_are_seen(two_snapshots: Any) -> None:
    stamp = {"era": FIRST, "changed_at": AT_THIRD, "snapshot_id": THIRD}
    for attempt, partitions in ((THIRD, 7), (f"{THIRD}.2", 3), (f"{THIRD}.10", 8)):
        row = {"op": "update", "topic": "b", "partitions": partitions, "written_by": attempt, **stamp}
        two_snapshots.append("topics", [row])
        two_snapshots.append("events", [event(THIRD) | {"subject": f"b{partitions}", "written_by": attempt}])
    two_snapshots.commit(THIRD, written_by=f"{THIRD}.2")
    assert topics(two_snapshots) == [("a", 1), ("b", 3), ("d", 4)]
    reader = open_reader(two_snapshots.storage, ["orders"])
    assert reader.query("SELECT subject FROM events").rows == [("b3",)]
    history = "SELECT partitions FROM topics_history WHERE topic = 'b' ORDER BY valid_from"
    assert reader.query(history).rows == [(1,), (2,), (3,)]
    assert reader.query("SELECT partitions FROM topics_at('2026-11-22') WHERE topic = 'b'").rows == [(3,)]


def test_a_snapshot_id_shows_that_snapshot(two_snapshots: Any) -> None:
    assert topics(two_snapshots, FIRST) == [("a", 1), ("b", 1), ("c", 1)]


def test_an_instant_before_the_first_snapshot_names_the_first(two_snapshots: Any) -> None:
    with pytest.raises(
        UsageError, match=f"no snapshot of orders at or before 2026-11-20 .* the first, {FIRST}"
    ):
        open_reader(two_snapshots.storage, ["orders"], datetime(2026, 11, 20, tzinfo=UTC))


def test_a_lake_without_a_commit_says_how_to_make_one(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")

    with pytest.raises(UsageError, match="no snapshot of orders yet: run varve snapshot"):
        open_reader(lake.storage, ["orders"])


def test_who_asks_while_the_first_snapshot_is_committed_is_told_that_there_is_none_yet(
    lake: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def committed_meanwhile(ask: Callable[[Sight], bool], sights: list[Sight]) -> list[bool]:
        answers = side_by_side(ask, sights)
        lake.commit(FIRST)
        return answers

    monkeypatch.setattr(read, "side_by_side", committed_meanwhile)
    for at in (None, SECOND, AT_SECOND):
        with pytest.raises(NoSnapshotError, match="no snapshot of orders yet: run varve snapshot"):
            open_reader(lake.storage, ["orders"], at)
        shutil.rmtree(lake.root)


def test_rows_of_a_snapshot_that_is_not_committed_are_invisible(two_snapshots: Any) -> None:
    two_snapshots.change("topics", THIRD, "delete", FIRST, topic="a")
    two_snapshots.append("events", [event(THIRD)])

    reader = open_reader(two_snapshots.storage, ["orders"])
    assert topics(two_snapshots) == [("a", 1), ("b", 2), ("d", 4)]
    assert reader.query("SELECT * FROM events").rows == []
    assert reader.query("SELECT * FROM topics_history WHERE snapshot_id = '20261121T002000Z'").rows == []


def test_rows_of_an_abandoned_snapshot_stay_invisible_after_later_commits(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a", partitions=1)
    lake.commit(FIRST)
    lake.change("topics", SECOND, "update", FIRST, topic="a", partitions=2)
    lake.change("topics", THIRD, "create", FIRST, topic="b", partitions=3)
    lake.commit(THIRD)

    assert topics(lake) == [("a", 1), ("b", 3)]


def test_an_era_opened_by_an_abandoned_snapshot_is_no_era(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a", partitions=1)
    lake.commit(FIRST)
    lake.change("topics", SECOND, "keyframe", SECOND, topic="a", partitions=9)
    lake.commit(THIRD)

    assert topics(lake) == [("a", 1)]


def test_a_null_in_a_key_is_a_value_of_its_own(lake: Any) -> None:
    member = {"role": "voter", "endpoints": []}
    lake.change("quorum_members", FIRST, "keyframe", FIRST, node_id=1, directory_id=None, **member)
    lake.change("quorum_members", FIRST, "keyframe", FIRST, node_id=1, directory_id="AAAA", **member)
    lake.commit(FIRST)
    lake.change("quorum_members", SECOND, "update", FIRST, node_id=1, directory_id=None, role="observer")
    lake.commit(SECOND)

    rows = (
        open_reader(lake.storage, ["orders"])
        .query("SELECT directory_id, role FROM quorum_members ORDER BY ALL")
        .rows
    )
    assert rows == [("AAAA", "voter"), (None, "observer")]


def test_a_table_without_a_key_has_one_row_per_cluster(lake: Any) -> None:
    lake.change("controllers", FIRST, "keyframe", FIRST, controller_id=1, epoch=1)
    lake.commit(FIRST)
    lake.change("controllers", SECOND, "update", FIRST, controller_id=2, epoch=2)
    lake.commit(SECOND)

    rows = open_reader(lake.storage, ["orders"]).query("SELECT cluster, controller_id FROM controllers").rows
    assert rows == [("orders", 2)]


def event(snapshot_id: str) -> dict[str, object]:
    return {
        "event": "topic-created",
        "subject": "d",
        "since_snapshot_id": FIRST,
        "since_at": AT_FIRST,
        "captured_at": AT_SECOND,
        "snapshot_id": snapshot_id,
    }


def test_log_and_series_tables_show_the_rows_of_committed_snapshots(two_snapshots: Any) -> None:
    two_snapshots.append("events", [event(SECOND)])
    progress = {"node_id": 1, "lag": 3, "captured_at": AT_SECOND, "day": AT_SECOND.date()}
    two_snapshots.append(
        "quorum_progress", [{**progress, "snapshot_id": SECOND}, {**progress, "snapshot_id": THIRD}]
    )

    reader = open_reader(two_snapshots.storage, ["orders"])
    assert reader.query("SELECT event, since_at, snapshot_id FROM events").rows == [
        ("topic-created", AT_FIRST, SECOND)
    ]
    assert reader.query("SELECT lag, snapshot_id FROM quorum_progress").rows == [(3, SECOND)]
    assert reader.query("SELECT snapshot_id FROM snapshots ORDER BY ALL").rows == [(FIRST,), (SECOND,)]


def test_expectation_results_appended_after_the_commit_are_visible(two_snapshots: Any) -> None:
    result = {
        "suite": "topics",
        "expectation": "unique",
        "table_name": "topics",
        "severity": "critical",
        "success": True,
    }
    two_snapshots.append("expectation_results", [{**result, "snapshot_id": SECOND}])

    rows = (
        open_reader(two_snapshots.storage, ["orders"])
        .query("SELECT suite, success FROM expectation_results")
        .rows
    )
    assert rows == [("topics", True)]


def test_tables_that_were_never_written_are_empty_and_have_their_columns_and_types(
    two_snapshots: Any,
) -> None:
    reader = open_reader(two_snapshots.storage, ["orders"])

    described = {row[0]: row[1] for row in reader.query("DESCRIBE disk_replicas").rows}
    assert described["broker_id"] == "INTEGER"
    assert described["leader_epochs"] == "STRUCT(epoch INTEGER, start_offset BIGINT)[]"
    assert described["changed_at"] == "TIMESTAMP WITH TIME ZONE"
    assert reader.query("SELECT * FROM disk_replicas").rows == []


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("topics", ("changed_at", "snapshot_id", "is_current")),
        ("topics_history", ("valid_from", "valid_to", "snapshot_id")),
        ("topics_at('2026-11-21')", ("changed_at", "snapshot_id")),
        ("findings", ("changed_at", "snapshot_id")),
        ("quorum_progress", ("captured_at", "snapshot_id")),
        ("events", ("snapshot_id",)),
    ],
)
def test_a_view_shows_the_cluster_the_tables_own_columns_and_the_documented_ones(
    two_snapshots: Any, view: str, shown: tuple[str, ...]
) -> None:
    table = tables()[view.partition("_at(")[0].removesuffix("_history")]
    columns = open_reader(two_snapshots.storage, ["orders"]).query(f"SELECT * FROM {view}").columns
    assert columns == ("cluster", *table.column_names, *shown)


def test_a_folder_above_the_lake_that_looks_like_a_partition_is_only_its_path(lake: Any) -> None:
    lake = type(lake)(lake.root / "cluster=prod" / "era=1 *?'")
    lake.change("topics", FIRST, "keyframe", FIRST, topic="x=y", partitions=1)
    progress = {"node_id": 1, "lag": 3, "captured_at": AT_FIRST, "day": AT_FIRST.date()}
    lake.append("quorum_progress", [progress | {"snapshot_id": FIRST}])
    lake.commit(FIRST)
    reader = open_reader(lake.storage, ["orders"])
    assert reader.query("SELECT cluster, topic FROM topics").rows == [("orders", "x=y")]
    assert reader.query("SELECT cluster, node_id FROM quorum_progress").rows == [("orders", 1)]


def test_show_tables_lists_every_table_with_its_history(two_snapshots: Any) -> None:
    listed = {row[0] for row in open_reader(two_snapshots.storage, ["orders"]).query("SHOW TABLES").rows}
    assert {"topics", "topics_history", "events", "snapshots", "disk_offsets"} <= listed
    assert "events_history" not in listed


def test_a_cluster_stands_at_its_own_newest_snapshot_in_the_union_over_clusters(two_snapshots: Any) -> None:
    other = type(two_snapshots)(two_snapshots.root, "billing")
    other.change("topics", THIRD, "keyframe", THIRD, topic="z", partitions=1)
    other.commit(THIRD)

    reader = open_reader(two_snapshots.storage, ["orders", "billing"])
    assert reader.query("SELECT cluster, topic FROM topics ORDER BY ALL").rows == [
        ("billing", "z"),
        ("orders", "a"),
        ("orders", "b"),
        ("orders", "d"),
    ]
    assert [(each.cluster, each.snapshot_id) for each in reader.as_of] == [
        ("orders", SECOND),
        ("billing", THIRD),
    ]


def test_a_cluster_without_a_snapshot_is_named_beside_those_that_have_one(two_snapshots: Any) -> None:
    assert open_reader(two_snapshots.storage, ["orders", "new"]).without_snapshot == ("new",)


def test_a_rebuilt_past_replaces_the_old_one_at_its_commit(two_snapshots: Any) -> None:
    rebuilt = {
        "op": "keyframe",
        "era": SECOND,
        "changed_at": AT_SECOND,
        "snapshot_id": SECOND,
        "written_by": SECOND,
    }
    two_snapshots.append("topics", [{**rebuilt, "topic": "rebuilt", "partitions": 1, "generation": 1}])
    assert topics(two_snapshots) == [("a", 1), ("b", 2), ("d", 4)]

    source = open_reader(two_snapshots.storage, ["orders"]).query(
        "SELECT * EXCLUDE (cluster) FROM snapshots ORDER BY snapshot_id"
    )
    (again,) = [dict(zip(source.columns, row, strict=True)) for row in source.rows[1:]]
    two_snapshots.append("snapshots", [{**again, "generation": 1, "committed_at": AT_THIRD}])
    assert topics(two_snapshots) == [("rebuilt", 1)]


def test_committed_ids_leave_out_what_only_landed(two_snapshots: Any) -> None:
    two_snapshots.change("topics", THIRD, "delete", FIRST, topic="a")
    sight = Sight(two_snapshots.storage, "orders")
    assert [each in sight for each in (FIRST, SECOND, THIRD)] == [True, True, False]


def test_a_table_that_light_readers_cannot_follow_is_refused(two_snapshots: Any) -> None:
    from deltalake import DeltaTable, TableFeatures

    DeltaTable(two_snapshots.root / "orders" / "topics").alter.add_feature(
        TableFeatures.DeletionVectors, allow_protocol_versions_increase=True
    )
    with pytest.raises(VarveError, match="Delta feature that light readers cannot follow"):
        topics(two_snapshots)
