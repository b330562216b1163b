from typing import Any
from uuid import UUID

import pytest
from kafka.errors import KafkaProtocolError
from kafka.protocol.metadata import MetadataResponse

from jobs.sources.kafka.connection.frame import Frame
from tests.jobs.sources.kafka.frames import framed, raw

TOPIC = MetadataResponse.MetadataResponseTopic


def frame(version: int, names: list[str]) -> Frame:
    """A Metadata reply of that version, as bytes."""
    partition = TOPIC.MetadataResponsePartition(
        version=version, error_code=0, partition_index=0, leader_id=2, replica_nodes=[2, 1], isr_nodes=[2]
    )
    topics = [
        TOPIC(
            version=version,
            error_code=0,
            name=name,
            topic_id=UUID(int=1),
            partitions=[partition],
            authorized_operations=set(),
        )
        for name in names
    ]
    broker = MetadataResponse.MetadataResponseBroker(
        version=version, node_id=1, host="b1", port=9092, rack=None
    )
    return framed(MetadataResponse, version, brokers=[broker], cluster_id="c", controller_id=1, topics=topics)


def seen(topics: Any) -> list[tuple[Any, ...]]:
    return [
        (topic["name"], topic["partitions"][0]["leader_id"], topic["partitions"][0]["replica_nodes"])
        for topic in topics
    ]


@pytest.mark.parametrize("version", range(1, MetadataResponse.max_version + 1))
def test_topics_one_by_one_are_those_of_the_whole_reply(version: int) -> None:
    expected = [("orders", 2, [2, 1]), ("payments", 2, [2, 1])]
    assert seen(frame(version, ["orders", "payments"]).each("topics")) == expected
    whole = frame(version, ["orders", "payments"]).decode()
    assert seen(topic.to_dict() for topic in whole.topics) == expected


def test_a_reply_that_ends_too_early_is_none() -> None:
    whole = bytes(frame(12, ["orders", "payments"]).body)
    with pytest.raises(KafkaProtocolError, match="this is no MetadataResponse"):
        list(raw(MetadataResponse, 12, whole[:-20]).each("topics"))
