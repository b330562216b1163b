"""From the znodes below `/admin` to what the controller has still to do."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.pending_requests import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

REASSIGN, ELECT = "/admin/reassign_partitions", "/admin/preferred_replica_election"


def test_a_topic_marked_for_deletion_on_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("pending_requests", from_zookeeper(recorded)) == [
        ("delete_topics", "doomed", None, None, "/admin/delete_topics/doomed", None)
    ]


def test_a_marker_counts_even_when_the_topic_is_gone(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/admin/delete_topics": None, "/admin/delete_topics/gone": None}))
    assert rows_of("pending_requests", made, "request", "topic") == [("delete_topics", "gone")]


def test_every_partition_of_a_reassignment_and_of_an_election_is_a_row(znodes: Frame, rows_of: Rows) -> None:
    tree = {
        REASSIGN: '{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[3,1]},'
        '{"partition":1,"replicas":[2],"topic":"orders"},{"topic":"orders","partition":1,"replicas":[4]}]}',
        ELECT: '{"version":1,"partitions":[{"topic":"orders","partition":0}]}',
        "/admin/other": '{"partitions":[{"topic":"x","partition":0}]}',
    }
    assert rows_of("pending_requests", from_zookeeper(znodes(tree))) == [
        ("preferred_replica_election", "orders", 0, None, ELECT, None),
        ("reassign_partitions", "orders", 0, [3, 1], REASSIGN, None),
        ("reassign_partitions", "orders", 1, [4], REASSIGN, None),
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "the znode is not a JSON object"),
        ("garbage", "the znode is not a JSON object"),
        ('[{"partitions":[]}]', "the znode is not a JSON object"),
        ('{"version":1}', "the request names no partitions"),
        ('{"partitions":[{}]}', "an entry lacks its topic, its partition or its replicas"),
        ('{"partitions":[7]}', "the request names no partitions"),
    ],
)
@pytest.mark.parametrize("path", [REASSIGN, ELECT])
def test_a_request_that_kafka_ignores_is_a_row_with_a_problem(
    path: str, data: str | None, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({path: data}))
    assert rows_of("pending_requests", made) == [(path[7:], None, None, None, path, problem)]


def test_a_reassignment_needs_replicas_and_an_election_does_not(znodes: Frame, rows_of: Rows) -> None:
    data = '{"partitions":[{"topic":"orders","partition":0}]}'
    made = from_zookeeper(znodes({REASSIGN: data, ELECT: data}))
    assert rows_of("pending_requests", made, "request", "problem") == [
        ("preferred_replica_election", None),
        ("reassign_partitions", "an entry lacks its topic, its partition or its replicas"),
    ]
