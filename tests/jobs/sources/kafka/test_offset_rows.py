from typing import Any

from kafka.protocol.consumer import ListOffsetsResponse

from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.offsets import offset_rows
from tests.jobs.sources.kafka.frames import framed

VERSION = 7
NOT_LEADER, OFFSET_NOT_AVAILABLE = 6, 78

TOPIC = ListOffsetsResponse.ListOffsetsTopicResponse
PAGE = [("orders", 0), ("orders", 1)]


def reply(*partitions: tuple[int, int, int]) -> Frame:
    """Of topic orders: partition, error code and offset."""
    told: list[Any] = [
        TOPIC.ListOffsetsPartitionResponse(
            version=VERSION, partition_index=number, error_code=error, timestamp=-1, offset=offset
        )
        for number, error, offset in partitions
    ]
    topics = [TOPIC(version=VERSION, name="orders", partitions=told)]
    return framed(ListOffsetsResponse, VERSION, topics=topics)


def test_each_partition_has_where_it_begins_and_ends() -> None:
    rows = offset_rows(3, PAGE, reply((1, 0, 5), (0, 0, 0)), reply((0, 0, 120), (1, 0, 80)))
    assert list(rows) == [("orders", 0, 3, 0, 120, None), ("orders", 1, 3, 5, 80, None)]


def test_an_error_of_one_partition_is_told_and_costs_the_others_nothing() -> None:
    rows = offset_rows(
        3,
        PAGE,
        reply((0, NOT_LEADER, -1), (1, 0, 5)),
        reply((0, NOT_LEADER, -1), (1, OFFSET_NOT_AVAILABLE, -1)),
    )
    assert list(rows) == [
        ("orders", 0, 3, None, None, "NOT_LEADER_OR_FOLLOWER"),
        ("orders", 1, 3, 5, None, "OFFSET_NOT_AVAILABLE"),
    ]


def test_a_partition_that_the_leader_leaves_out_has_an_error() -> None:
    rows = offset_rows(3, PAGE, reply((0, 0, 0)), reply((0, 0, 9)))
    assert list(rows) == [("orders", 0, 3, 0, 9, None), ("orders", 1, 3, None, None, "UNKNOWN_SERVER_ERROR")]
