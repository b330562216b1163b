"""From a topic's znode to a row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.topics import from_kafka, from_zookeeper

CREATED_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
WRITTEN_AT = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)
Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

ID = "vV5u0_NiSR-iJzmV8S97dg"
V1 = '{"version":1,"partitions":{"0":[1,2]}}'
V2 = '{"version":2,"partitions":{"0":[3,1,2],"3":[3,2,1],"4":[1,3,2]},"adding_replicas":{},"removing_replicas":{}}'
V3 = (
    '{"partitions":{"0":[3,1,2],"1":[1,2,3],"2":[2,3,1]},"topic_id":"vV5u0_NiSR-iJzmV8S97dg",'
    '"adding_replicas":{},"removing_replicas":{},"version":3}'
)
V3_WITHOUT_ID = '{"removing_replicas":{},"partitions":{"0":[2]},"adding_replicas":{},"version":3}'


def test_every_version_of_a_topic_gives_its_id_or_none(znodes: Frame, rows_of: Rows) -> None:
    tree = {"v1": V1, "v2": V2, "v3": V3, "v3-without-id": V3_WITHOUT_ID}
    made = from_zookeeper(znodes({f"/brokers/topics/{name}": data for name, data in tree.items()}))
    names = ("topic", "topic_id", "partitions", "replication_factor", "znode_version", "problem")
    assert rows_of("topics", made, *names) == [
        ("v1", None, 1, 2, 1, None),
        ("v2", None, 3, 3, 2, None),
        ("v3", ID, 3, 3, 3, None),
        ("v3-without-id", None, 1, 1, 3, None),
    ]


def test_the_stat_tells_when_a_topic_was_made_and_written(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/brokers/topics/orders": {"data": V3, "czxid": 4294967300, "version": 9}}))
    names = ("data_version", "czxid", "created_at", "modified_at", "deletion_pending")
    assert rows_of("topics", made, *names) == [(9, 4294967300, CREATED_AT, WRITTEN_AT, False)]


def test_a_marked_topic_is_pending_deletion_and_a_marker_alone_is_no_topic(
    znodes: Frame, rows_of: Rows
) -> None:
    tree = {
        "/brokers/topics/orders": V3,
        "/brokers/topics/audit": V3,
        "/admin/delete_topics/audit": None,
        "/admin/delete_topics/gone": None,
    }
    made = from_zookeeper(znodes(tree))
    assert rows_of("topics", made, "topic", "deletion_pending") == [("audit", True), ("orders", False)]


def test_only_the_topics_own_znode_is_a_topic(znodes: Frame, rows_of: Rows) -> None:
    others = ("/brokers/topics", "/brokers/topics/t/partitions", "/config/topics/t", "/x/brokers/topics/t")
    assert rows_of("topics", from_zookeeper(znodes(dict.fromkeys(others, V3)))) == []


def test_names_come_as_they_are(znodes: Frame, rows_of: Rows) -> None:
    names = ("__consumer_offsets", "a.b_c-d", "'; DROP TABLE topics; --", "<script>", "\u2028", "日本")
    made = from_zookeeper(znodes({f"/brokers/topics/{name}": V3 for name in names}))
    assert rows_of("topics", made, "topic") == sorted([(name,) for name in names], key=str)


def test_an_id_is_canonical_or_a_problem(znodes: Frame, rows_of: Rows) -> None:
    tree = {"padded": ID + "==", "other bits": ID[:-1] + "h", "garbage": "garbage", "zero": "A" * 22}
    made = from_zookeeper(
        znodes({f"/brokers/topics/{name}": V3.replace(ID, text) for name, text in tree.items()})
    )
    assert rows_of("topics", made, "topic", "topic_id", "partitions", "problem") == [
        ("garbage", None, 3, "topic_id is no id: garbage"),
        ("other bits", ID, 3, None),
        ("padded", ID, 3, None),
        ("zero", None, 3, "topic_id is no id: AAAAAAAAAAAAAAAAAAAAAA"),
    ]


def test_a_malformed_topic_is_a_row_with_a_problem(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    tree = {f"/brokers/topics/t{n}": data for n, data in enumerate(malformed)}
    tree |= {"/brokers/topics/x1": '{"version":3}', "/brokers/topics/x2": '{"version":"3","partitions":[1]}'}
    rows = rows_of("topics", from_zookeeper(znodes(tree)), "topic", "topic_id", "partitions", "problem")
    no_object = [(f"t{n}", None, None, "the znode is not a JSON object") for n in range(len(malformed))]
    no_partitions = [(name, None, None, "the znode names no partitions") for name in ("x1", "x2")]
    assert rows == sorted(no_object + no_partitions, key=str)


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = frame("admin_topics", {"topic": "orders", "topic_id": ID}, {"topic": "old"})
    parts = frame(
        "admin_partitions",
        {"topic": "orders", "partition": 1, "replicas": [2]},
        {"topic": "orders", "partition": 0, "replicas": [1, 2]},
    )
    moving = frame("admin_reassignments")
    unknown = (None,) * 7
    assert rows_of("topics", from_kafka(described, parts, moving)) == [
        ("old", None, None, None, *unknown),
        ("orders", ID, 2, 2, *unknown),
    ]


def test_what_a_reassignment_adds_is_no_replica_yet(znodes: Frame, frame: Frame, rows_of: Rows) -> None:
    moved = V3_WITHOUT_ID.replace("[2]", "[1,3,2]").replace(
        '"adding_replicas":{}', '"adding_replicas":{"0":[3]}'
    )
    made = from_zookeeper(znodes({"/brokers/topics/orders": moved}))
    assert rows_of("topics", made, "topic", "replication_factor") == [("orders", 2)]

    parts = frame("admin_partitions", {"topic": "orders", "partition": 0, "replicas": [1, 3, 2]})
    moving = frame(
        "admin_reassignments",
        {"topic": "orders", "partition": 0, "replicas": [1, 3, 2], "adding": [3], "removing": [2]},
    )
    described = from_kafka(frame("admin_topics", {"topic": "orders"}), parts, moving)
    assert rows_of("topics", described, "topic", "replication_factor") == [("orders", 2)]
