"""What a reader says of rows that the newest snapshot did not see."""

import time
from datetime import UTC, datetime
from typing import Any

from jobs.lake.read import open_reader
from schemas.snapshots import Gap, GapReason

FIRST, SECOND, THIRD = "20261121T000000Z", "20261121T001000Z", "20261121T002000Z"
AT_FIRST = datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)
AT_SECOND = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
AT_THIRD = datetime(2026, 11, 21, 0, 20, 5, tzinfo=UTC)


def test_rows_under_a_gap_of_the_newest_snapshot_are_not_current(lake: Any) -> None:
    for topic in ("orders", "orders-eu"):
        lake.change("topics", FIRST, "keyframe", FIRST, topic=topic)
        lake.change("partitions", FIRST, "keyframe", FIRST, topic=topic, partition=0)
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/brokers/topics/orders", "unauthorized", "no read right"))

    reader = open_reader(lake.storage, ["orders"])
    assert reader.query("SELECT topic FROM topics WHERE NOT is_current").rows == [("orders",)]
    assert reader.query("SELECT topic FROM partitions WHERE NOT is_current").rows == [("orders",)]
    assert (
        open_reader(lake.storage, ["orders"], AT_FIRST)
        .query("SELECT topic FROM topics WHERE NOT is_current")
        .rows
        == []
    )


def test_a_table_with_a_column_called_scope_is_no_exception(lake: Any) -> None:
    for entity in ("alice", "bob"):
        row = {"scope": "topic", "entity": entity, "name": "retention.ms"}
        lake.change("configs", FIRST, "keyframe", FIRST, **row)
    lake.commit(FIRST, ("zookeeper", "/config/topics/alice", "unauthorized", "no read right"))

    seen = (
        open_reader(lake.storage, ["orders"]).query("SELECT entity, is_current FROM configs ORDER BY 1").rows
    )
    assert seen == [("alice", False), ("bob", True)]


def test_a_gap_over_everything_covers_every_row_of_its_source_and_of_no_other(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="orders")
    lake.change("quorum", FIRST, "keyframe", FIRST, leader_id=1, leader_epoch=1)
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/", "unreachable", "nobody answers"))

    reader = open_reader(lake.storage, ["orders"])
    assert reader.query("SELECT is_current FROM topics").rows == [(False,)]
    assert reader.query("SELECT is_current FROM quorum").rows == [(True,)]


def test_rows_of_a_source_that_is_not_read_any_more_are_not_current(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="orders")
    lake.change(
        "disk_replicas",
        FIRST,
        "keyframe",
        FIRST,
        broker_id=1,
        path="/d0",
        dir_name="orders-0",
        kind="current",
    )
    lake.commit(FIRST, sources=("zookeeper", "log_dirs"))
    lake.commit(SECOND, sources=("zookeeper",))

    reader = open_reader(lake.storage, ["orders"])
    assert reader.query("SELECT is_current FROM topics").rows == [(True,)]
    assert reader.query("SELECT is_current FROM disk_replicas").rows == [(False,)]


def test_a_row_that_does_not_say_where_it_stands_is_not_current_where_a_gap_may_hide_it(lake: Any) -> None:
    entry = {"resource_type": "Topic", "pattern_type": "literal", "resource_name": "orders", "znode": None}
    lake.change("acls", FIRST, "keyframe", FIRST, **entry)
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/kafka-acl/Group", "unauthorized", "no read right"))
    lake.commit(THIRD, ("zookeeper", "/config/users", "unauthorized", "no read right"))

    for at, is_current in ((FIRST, True), (SECOND, False), (THIRD, True)):
        reader = open_reader(lake.storage, ["orders"], at)
        assert reader.query("SELECT is_current FROM acls").rows == [(is_current,)]


def test_gaps_at_any_depth_cover_what_is_at_them_or_below_and_many_of_them_cost_little(lake: Any) -> None:
    era = {"op": "keyframe", "era": FIRST, "changed_at": AT_FIRST, "snapshot_id": FIRST, "written_by": FIRST}
    names = ["t0/x", *[f"t{number}" for number in range(20_000)]]
    lake.append("partitions", [{**era, "topic": name, "partition": 0} for name in names])
    deep = "/brokers/topics/t2/partitions/0/state"
    scopes = [deep, *[f"/brokers/topics/t{number}" for number in range(3, 2_003)], "/brokers/topics/t0/x"]
    lake.commit(FIRST, *[("zookeeper", scope, "unauthorized", "no read right") for scope in scopes])

    reader = open_reader(lake.storage, ["orders"])
    started = time.monotonic()
    seen = {topic for (topic,) in reader.query("SELECT topic FROM partitions WHERE is_current").rows}
    assert time.monotonic() - started < 2
    assert {"t0", "t1", "t2003"} <= seen
    assert not {"t0/x", "t2", "t3", "t2002"} & seen


def test_a_derived_table_follows_the_gaps_of_the_authority(lake: Any) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="orders")
    lake.commit(FIRST, ("kafka", "/topics", "unauthorized", "no Describe right"), authority="kafka")

    assert open_reader(lake.storage, ["orders"]).query("SELECT is_current FROM topics").rows == [(False,)]


def test_the_gaps_of_the_newest_snapshot_come_with_what_the_answer_is_as_of(lake: Any) -> None:
    lake.commit(FIRST)
    lake.commit(SECOND)
    lake.commit(THIRD, ("zookeeper", "/config/users", "unauthorized", "no read right"))

    (as_of,) = open_reader(lake.storage, ["orders"]).as_of
    assert (as_of.cluster, as_of.snapshot_id, as_of.captured_at) == ("orders", THIRD, AT_THIRD)
    assert as_of.status == "partial"
    assert as_of.gaps == (("zookeeper", Gap("/config/users", GapReason.UNAUTHORIZED, "no read right")),)
    assert open_reader(lake.storage, ["orders"], AT_SECOND).as_of[0].gaps == ()
