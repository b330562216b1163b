"""What a reader says of rows that the newest snapshot did not see."""

from datetime import UTC, datetime

from jobs.lake.read import open_lake
from jobs.manifest import Gap

FIRST, SECOND, THIRD = "20261121T000000Z", "20261121T001000Z", "20261121T002000Z"
AT_FIRST = datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)
AT_SECOND = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
AT_THIRD = datetime(2026, 11, 21, 0, 20, 5, tzinfo=UTC)


def test_rows_under_a_gap_of_the_newest_snapshot_are_not_current(lake):
    for topic in ("orders", "orders-eu"):
        lake.change("topics", FIRST, "keyframe", FIRST, topic=topic)
        lake.change("partitions", FIRST, "keyframe", FIRST, topic=topic, partition=0)
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/brokers/topics/orders", "unauthorized", "no read right"))

    reader = open_lake(lake.root, ["orders"])
    assert reader.query("SELECT topic FROM topics WHERE NOT is_current").rows == [("orders",)]
    assert reader.query("SELECT topic FROM partitions WHERE NOT is_current").rows == [("orders",)]
    assert (
        open_lake(lake.root, ["orders"], AT_FIRST).query("SELECT topic FROM topics WHERE NOT is_current").rows
        == []
    )


def test_a_table_with_a_column_called_scope_is_no_exception(lake):
    for entity in ("alice", "bob"):
        row = {"scope": "user", "entity": entity, "name": "consumer_byte_rate"}
        lake.change("configs", FIRST, "keyframe", FIRST, **row)
    lake.commit(FIRST, ("zookeeper", "/config/users/alice", "unauthorized", "no read right"))

    seen = open_lake(lake.root, ["orders"]).query("SELECT entity, is_current FROM configs ORDER BY 1").rows
    assert seen == [("alice", False), ("bob", True)]


def test_a_gap_over_everything_covers_every_row_of_its_source_and_of_no_other(lake):
    lake.change("topics", FIRST, "keyframe", FIRST, topic="orders")
    lake.change("quorum", FIRST, "keyframe", FIRST, leader_id=1, leader_epoch=1)
    lake.commit(FIRST)
    lake.commit(SECOND, ("zookeeper", "/", "unreachable", "nobody answers"))

    reader = open_lake(lake.root, ["orders"])
    assert reader.query("SELECT is_current FROM topics").rows == [(False,)]
    assert reader.query("SELECT is_current FROM quorum").rows == [(True,)]


def test_a_derived_table_follows_the_gaps_of_the_authority(lake):
    lake.change("topics", FIRST, "keyframe", FIRST, topic="orders")
    lake.commit(FIRST, ("kafka", "/topics", "unauthorized", "no Describe right"), authority="kafka")

    assert open_lake(lake.root, ["orders"]).query("SELECT is_current FROM topics").rows == [(False,)]


def test_the_gaps_of_the_newest_snapshot_come_with_what_the_answer_is_as_of(lake):
    lake.commit(FIRST)
    lake.commit(SECOND)
    lake.commit(THIRD, ("zookeeper", "/config/users", "unauthorized", "no read right"))

    (as_of,) = open_lake(lake.root, ["orders"]).as_of
    assert (as_of.cluster, as_of.snapshot_id, as_of.captured_at) == ("orders", THIRD, AT_THIRD)
    assert as_of.status == "partial"
    assert as_of.gaps == (("zookeeper", Gap("/config/users", "unauthorized", "no read right")),)
    assert open_lake(lake.root, ["orders"], AT_SECOND).as_of[0].gaps == ()
