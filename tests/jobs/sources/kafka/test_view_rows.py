from typing import Any

from kafka.protocol.metadata import MetadataResponse

from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.views import ROWS_PER_BROKER, differences, still, view_in, view_rows
from tests.jobs.sources.kafka.frames import framed

TOPIC = MetadataResponse.MetadataResponseTopic
UNKNOWN_TOPIC = 3


def reply(version: int, throttle_ms: int, *topics: Any) -> Frame:
    return framed(
        MetadataResponse,
        version,
        throttle_time_ms=throttle_ms,
        brokers=[],
        cluster_id="c",
        controller_id=throttle_ms,
        topics=list(topics),
    )


def topic(version: int, name: str, leader: int, epoch: int) -> Any:
    partition = TOPIC.MetadataResponsePartition(
        version=version, error_code=0, partition_index=0, leader_id=leader, leader_epoch=epoch
    )
    return TOPIC(version=version, error_code=0, name=name, partitions=[partition])


def test_a_view_is_the_leader_and_its_epoch_of_each_partition() -> None:
    unknown = TOPIC(version=12, error_code=UNKNOWN_TOPIC, name="gone", partitions=[])
    assert view_in(reply(12, 0, topic(12, "orders", 2, 5), unknown)) == {("orders", 0): (2, 5)}


def test_what_comes_before_the_topics_makes_no_difference() -> None:
    one, other = (reply(12, throttle, topic(12, "orders", 2, 5)) for throttle in (0, 9))
    assert one.rest("topics") == other.rest("topics")
    assert one.rest("topics") != reply(12, 0, topic(12, "orders", 2, 6)).rest("topics")
    assert view_in(one) == {("orders", 0): (2, 5)}


def test_another_leader_another_epoch_and_an_unknown_partition_are_differences() -> None:
    own = {("orders", 0): (1, 5), ("orders", 1): (1, 4), ("orders", 2): (1, 5), ("old", 0): (3, 0)}
    reference = {("orders", 0): (1, 5), ("orders", 1): (1, 5), ("orders", 2): (2, 5), ("new", 0): (3, 0)}
    assert differences(own, reference) == {
        ("orders", 1): ((1, 4), (1, 5)),
        ("orders", 2): ((1, 5), (2, 5)),
        ("old", 0): ((3, 0), None),
        ("new", 0): (None, (3, 0)),
    }


def test_only_a_broker_that_says_the_same_again_differs() -> None:
    before = {
        ("orders", 0): ((1, 4), (2, 5)),
        ("orders", 1): ((1, 4), (2, 5)),
        ("orders", 2): ((1, 4), (2, 5)),
    }
    now = {
        ("orders", 0): ((1, 4), (3, 6)),
        ("orders", 1): ((2, 5), (3, 6)),
        ("orders", 3): ((1, 4), (2, 5)),
    }
    assert still(before, now) == {("orders", 0): ((1, 4), (3, 6))}


def test_a_broker_that_agrees_is_one_row_and_one_that_differs_has_one_more_for_each_partition() -> None:
    assert list(view_rows(2, 1, 30, {})) == [(2, None, None, None, None, 1, None, None, 30, 0)]
    differing = {("orders", 1): (None, (2, 5)), ("orders", 0): ((1, 4), (2, 5))}
    assert list(view_rows(3, 1, 30, differing)) == [
        (3, None, None, None, None, 1, None, None, 30, 2),
        (3, "orders", 0, 1, 4, 1, 2, 5, None, None),
        (3, "orders", 1, None, None, 1, 2, 5, None, None),
    ]


def test_a_broker_that_differs_in_everything_is_cut_short_and_counted_whole() -> None:
    stuck = {("orders", number): ((1, 4), (2, 5)) for number in range(ROWS_PER_BROKER + 1)}
    rows = list(view_rows(3, 1, 5_000, stuck))
    assert len(rows) == 1 + ROWS_PER_BROKER
    assert rows[0][-2:] == (5_000, ROWS_PER_BROKER + 1)
