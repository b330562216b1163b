"""From the topics' znodes to the partitions whose replicas are being moved."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.reassignments import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

TOPIC = (
    '{"version":3,"partitions":{"0":[4,1,2],"1":[1,2],"2":[1,2,3],"3":[5,6]},'
    '"adding_replicas":{"0":[4],"1":[],"3":[5,6],"9":[1]},"removing_replicas":{"0":[2],"2":[3]}}'
)


def test_a_partition_with_replicas_that_come_or_go_is_a_row(znodes: Frame, rows_of: Rows) -> None:
    tree = {"/brokers/topics/orders": TOPIC, "/brokers/topics/old": '{"version":1,"partitions":{"0":[1]}}'}
    assert rows_of("reassignments", from_zookeeper(znodes(tree))) == [
        ("orders", 0, [4, 1, 2], [4], [2], None),
        ("orders", 2, [1, 2, 3], [], [3], None),
        ("orders", 3, [5, 6], [5, 6], [], None),
    ]


def test_a_cluster_at_rest_has_none(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("reassignments", from_zookeeper(recorded)) == []


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = {"topic": "orders", "partition": 0, "replicas": [4, 1, 2], "adding": [4], "removing": [2]}
    assert rows_of("reassignments", from_kafka(frame("admin_reassignments", described))) == [
        ("orders", 0, [4, 1, 2], [4], [2], None)
    ]
