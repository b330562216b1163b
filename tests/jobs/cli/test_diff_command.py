"""`varve diff`: what differs between two times, or two clusters."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.objects.parts.kind import object_kinds
from schemas.table import Kind
from schemas.zookeeper import ZNODES

FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"

Varve = Callable[..., Any]
Diff = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def moved(lake: Any) -> Any:
    """Topic orders grows, audit goes, billing comes; a leader moves; the config of orders changes."""
    for topic, partitions in (("orders", 12), ("audit", 1)):
        lake.change("topics", FIRST, "keyframe", FIRST, topic=topic, partitions=partitions, topic_id=topic)
    of_partition = {"topic": "orders", "partition": 3, "replicas": [1, 2]}
    lake.change("partitions", FIRST, "keyframe", FIRST, **of_partition, leader=2, isr=[1, 2])
    config = {"scope": "topic", "entity": "orders", "name": "retention.ms"}
    lake.change("configs", FIRST, "keyframe", FIRST, **config, value="1")
    lake.change("brokers", FIRST, "keyframe", FIRST, broker_id=2, endpoints=["P://b2:9092"], epoch=7)
    lake.commit(FIRST)
    lake.change("topics", SECOND, "update", FIRST, topic="orders", partitions=24, topic_id="orders")
    lake.change("topics", SECOND, "delete", FIRST, topic="audit", partitions=1)
    lake.change("partitions", SECOND, "update", FIRST, **of_partition, leader=1, isr=[1, 2])
    lake.change("configs", SECOND, "update", FIRST, **config, value="2")
    stat = dict.fromkeys((column.name for column in ZNODES.columns if column.type in ("INT", "BIGINT")), 1)
    stat |= {"ctime": datetime(2026, 1, 1, tzinfo=UTC), "mtime": datetime(2026, 1, 1, tzinfo=UTC)}
    lake.change("znodes", SECOND, "create", FIRST, path="/controller", encoding="utf-8", **stat)
    lake.commit(SECOND)
    lake.change("topics", THIRD, "create", FIRST, topic="billing", partitions=2, topic_id="billing")
    lake.commit(THIRD)
    return lake


@pytest.fixture
def diff(moved: Any, varve: Varve) -> Diff:
    def ask(*words: str, cluster: str = moved.cluster) -> list[tuple[Any, ...]]:
        ended = varve("diff", *words, "--cluster", cluster, "--format", "json")
        assert ended.code == 0, ended.err
        return [tuple(row.values())[1:] for row in json.loads(ended.out)]

    return ask


def test_each_column_is_told_old_and_new_and_what_touches_most_partitions_comes_first(diff: Diff) -> None:
    assert diff("2026-11-21T14:00:05Z", "2026-11-21T14:15Z") == [
        ("config", "topic orders retention.ms", "changed", "value", "1", "2", 24),
        ("topic", "orders", "changed", "partitions", 12, 24, 24),
        ("partition", "orders-3", "changed", "leader", 2, 1, 1),
        ("topic", "audit", "deleted", None, {"topic_id": "audit", "partitions": 1}, None, 1),
    ]


def test_the_second_time_is_now_where_it_is_not_said_and_a_kind_narrows_it(diff: Diff) -> None:
    billing = ("topic", "billing", "created", None, None, {"topic_id": "billing", "partitions": 2}, 2)
    assert diff(SECOND, "topic") == [billing]
    assert diff(THIRD, SECOND, "topic") == [
        ("topic", "billing", "deleted", None, {"topic_id": "billing", "partitions": 2}, None, 2)
    ]
    assert diff(SECOND, "partition") == []


def test_numbers_in_names_are_sorted_as_numbers(lake: Any, diff: Diff) -> None:
    fourth = "20261121T143000Z"
    for partition in (10, 9):
        lake.change("partitions", fourth, "create", FIRST, topic="orders", partition=partition)
    lake.commit(fourth)
    assert [row[1] for row in diff(THIRD, "partition")] == ["orders-9", "orders-10"]


def test_raw_state_is_compared_only_when_it_is_asked_for(diff: Diff) -> None:
    assert [row[1] for row in diff(FIRST, SECOND, "znode")] == ["/controller"]


def test_what_a_broker_believes_is_compared_only_when_it_is_asked_for(lake: Any, diff: Diff) -> None:
    of_broker = {"broker_id": 2, "reference_id": 1, "differing": 0}
    lake.change("broker_views", FIRST, "keyframe", FIRST, **of_broker, compared=13)
    lake.change("broker_views", SECOND, "update", FIRST, **of_broker, compared=25)
    assert diff(FIRST, SECOND, "broker-view") == [("broker-view", "2", "changed", "compared", 13, 25, 0)]
    assert "broker-view" not in {row[0] for row in diff(FIRST, SECOND)}


def test_so_long_ago_is_a_point_in_time_and_no_option(moved: Any, varve: Varve) -> None:
    ended = varve("diff", "-2h", "-30m", "--cluster", moved.cluster)
    assert "-2h" not in ended.err


def test_what_the_later_snapshot_could_not_see_is_not_taken_for_deleted(moved: Any, varve: Varve) -> None:
    fourth = "20261121T143000Z"
    moved.change("topics", fourth, "update", FIRST, topic="orders", partitions=48, topic_id="orders")
    moved.commit(fourth, ("zookeeper", "/brokers/topics/audit", "unauthorized", "no read right"))
    ended = varve("diff", FIRST, fourth, "topic", "--cluster", moved.cluster)
    assert "audit of orders: deleted" not in ended.out
    assert f"not seen by snapshot {fourth} of orders: topic audit" in ended.out
    assert "topic orders of orders: changed, 48 partitions" in ended.out


def test_what_the_earlier_snapshot_could_not_see_is_not_taken_for_created(lake: Any, varve: Varve) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="seen", partitions=1)
    lake.commit(FIRST, ("zookeeper", "/config", "unauthorized", "no read right"))
    lake.change("configs", SECOND, "create", FIRST, scope="topic", entity="seen", name="retention.ms")
    lake.commit(SECOND)
    ended = varve("diff", FIRST, SECOND, "--cluster", "orders")
    assert ended.code == 0
    first, *rest = ended.out.splitlines()
    assert first == "no differences"
    assert f"not seen by snapshot {FIRST} of orders: config topic seen retention.ms" in rest


@pytest.fixture
def other(moved: Any) -> Any:
    """Billing has the topics audit, and orders under another id, and sees no configs."""
    other = type(moved)(moved.root, "billing")
    for topic, partitions in (("orders", 6), ("audit", 1)):
        other.change("topics", FIRST, "keyframe", FIRST, topic=topic, partitions=partitions, topic_id="other")
    other.commit(FIRST, ("zookeeper", "/config", "unauthorized", "no read right"))
    return other


def test_two_clusters_are_compared_without_the_ids_that_are_their_own(
    moved: Any, other: Any, varve: Varve
) -> None:
    words = ("--cluster", moved.cluster, "--with-cluster", other.cluster, "--format", "json")
    ended = varve("diff", "2026-11-21T14:10:05Z", "topic", *words)
    assert json.loads(ended.out) == [
        {
            "cluster": "orders, billing",
            "kind": "topic",
            "name": "orders",
            "what": "differs",
            "column": "partitions",
            "old": 24,
            "new": 6,
            "partitions_touched": 24,
        },
        {
            "cluster": "orders, billing",
            "kind": "topic",
            "name": "audit",
            "what": "only in billing",
            "column": None,
            "old": None,
            "new": {"partitions": 1},
            "partitions_touched": 1,
        },
    ]
    newest = varve("diff", "config", *words)
    assert json.loads(newest.out) == []
    assert f"not seen by snapshot {FIRST} of billing: config topic orders retention.ms" in newest.err
    assert f"snapshot {THIRD} of orders" in newest.err


def test_columns_that_only_one_source_knows_are_not_compared_after_a_migration(
    moved: Any, varve: Varve
) -> None:
    fourth = "20261121T143000Z"
    broker = {"broker_id": 2, "endpoints": ["b2:9092"], "fenced": False}
    moved.change("brokers", fourth, "update", FIRST, **broker)
    moved.commit(fourth, authority="kafka")
    ended = varve("diff", THIRD, fourth, "broker", "--cluster", moved.cluster, "--format", "json")
    assert [row["column"] for row in json.loads(ended.out)] == ["endpoints"]
    assert (
        f"not compared: columns that only one source knows, as the tables follow zookeeper in {THIRD}"
        in ended.err
    )


def test_a_cluster_without_a_snapshot_then_is_named_and_left_out(moved: Any, varve: Varve) -> None:
    ended = varve("diff", SECOND, "topic", "--format", "csv")
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 2
    assert "has no snapshot of billing yet" in ended.err
    ended = varve("diff", "2026-11-20", "--cluster", moved.cluster)
    assert (ended.code, ended.out) == (2, "")
    assert "There is no snapshot of orders at or before 2026-11-20" in ended.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "Say from when on"),
        (["topic"], "Say from when on"),
        (["-2h", "topics"], "There is no kind of object 'topics': did you mean topic?"),
        (["-2h", "2h"], "'2h' is no point in time"),
        (["-3h", "-2h", "-1h"], "3 points in time cannot be compared"),
        (["-2h", "--with-cluster", "billing"], "Two clusters are compared at one time"),
        (["-3h", "-2h", "--with-cluster", "billing", "--cluster", "orders"], "at one time"),
        (["-3h", "--clustr", "orders"], "There is no kind of object"),
    ],
)
def test_wrong_words_say_which_are_right(varve: Varve, words: list[str], complaint: str) -> None:
    ended = varve("diff", *words)
    assert (ended.code, ended.out) == (2, "")
    assert complaint in ended.err


def test_every_kind_is_of_a_state_that_tells_where_it_stands_and_names_columns_that_are_there() -> None:
    for kind in object_kinds().values():
        assert kind.table.kind is Kind.STATE
        assert kind.table.scopes
        assert set(kind.of_its_cluster) <= set(kind.table.column_names)


@pytest.mark.parametrize("kind", list(object_kinds()))
def test_every_kind_can_be_compared(diff: Diff, kind: str) -> None:
    assert diff(FIRST, FIRST, kind) == []


def test_a_person_reads_each_object_with_old_and_new(moved: Any, varve: Varve) -> None:
    ended = varve("diff", FIRST, SECOND, "topic", "--cluster", moved.cluster)
    *lines, first, second = [line.rstrip() for line in ended.out.splitlines()]
    assert lines == [
        "topic orders of orders: changed, 24 partitions",
        "    partitions  12 → 24",
        "topic audit of orders: deleted, 1 partition",
        "    topic_id    audit",
        "    partitions  1",
        "",
    ]
    assert first.startswith("as of 2026-11-21 14:00:05Z")
    assert second.startswith("as of 2026-11-21 14:10:05Z")


def test_a_terminal_shows_what_touches_most_and_counts_the_rest(
    moved: Any, on_terminal: Callable[..., list[str]]
) -> None:
    fourth = "20261121T143000Z"
    for number in range(52):
        moved.change("topics", fourth, "create", FIRST, topic=f"t{number}", partitions=100 - number)
    moved.commit(fourth)
    lines = on_terminal(100, "diff", THIRD, "--cluster", moved.cluster)
    assert lines[0] == "topic t0 of orders: created, 100 partitions"
    assert "topic t49 of orders: created, 51 partitions" in lines
    assert "topic t50 of orders: created, 50 partitions" not in lines
    assert "and 2 more: add --format csv" in lines
