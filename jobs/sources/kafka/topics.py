"""Lands topics and their partitions, and a gap for each topic that may exist although no broker lists it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kafka.errors import KafkaError, TopicAuthorizationFailedError
from kafka.protocol.admin import DescribeTopicPartitionsRequest

from jobs.landing.landing import Landing
from jobs.sources.kafka.configs import DOWN_BROKER_CONFIGS, TOPIC_CONFIGS, Row
from jobs.sources.kafka.connection.client import KafkaClient, Reply, metadata_request
from jobs.sources.kafka.connection.failures import raise_for
from jobs.sources.kafka.connection.frame import kafka_id
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.gaps import Question, explain, gap_on_error
from jobs.sources.kafka.hidden_topics import hidden_topics
from jobs.sources.kafka.views import VIEWS

TOPICS = Question("topics", "/topics", "DESCRIBE on all topics")
PARTITIONS_PER_PAGE = 2_000
"""The most that a broker returns in one reply by default (`max.request.partition.size.limit`)."""


@dataclass
class Listed:
    """What the questions after the topics ask about: the topics' names, the brokers with replicas, and which partitions
    of which topic each broker leads. It is not whole where topics may be missing."""

    names: list[str] = field(default_factory=list)
    assigned: set[int] = field(default_factory=set)
    led: dict[int, dict[str, list[int]]] = field(default_factory=dict)
    is_whole: bool = True

    def add(self, topic: Reply) -> bool:
        """Add a topic, or a part of the last one. Returns whether it is a new one."""
        name = topic["name"]
        is_new = self.names[-1:] != [name]
        if is_new:
            self.names.append(name)
        for partition in topic["partitions"]:
            self.assigned.update(partition["replica_nodes"])
            if partition["leader_id"] >= 0:
                of_leader = self.led.setdefault(partition["leader_id"], {})
                of_leader.setdefault(name, []).append(partition["partition_index"])
        return is_new


def land_topics(
    client: KafkaClient, landing: Landing, partitions_per_page: int = PARTITIONS_PER_PAGE
) -> Listed:
    """Land topics and partitions, and return what the next questions ask about.

    When topics may be missing from these, the configs of topics and of brokers that are down are gaps too, and what
    brokers believe: they are asked for by the names and ids returned here.
    """
    listed = Listed()
    try:
        for topic in listed_topics(client, partitions_per_page):
            _land_topic(topic, landing, is_new=listed.add(topic))
        for name in hidden_topics(client, set(listed.names)):
            _land_hidden(name, landing)
    except KafkaError as error:
        listed.is_whole = False
        for question in (TOPICS, TOPIC_CONFIGS, DOWN_BROKER_CONFIGS, VIEWS):
            landing.gap(question.scope, *explain(error, question))
    return listed


def listed_topics(
    client: KafkaClient, partitions_per_page: int = PARTITIONS_PER_PAGE
) -> Iterator[dict[str, Any]]:
    """Every topic that Varve may describe, decoded one by one. Raises KafkaError.

    The reply is DescribeTopicPartitions where the broker supports it (KIP-966: Kafka 3.7 under KRaft). Only that has
    eligible leader replicas, and it may return a topic in several parts, one after the other. Otherwise it is Metadata.
    """
    if client.servers.know(DescribeTopicPartitionsRequest):
        return _pages_of_topics(client.servers, partitions_per_page)
    return client.servers.frame(metadata_request(None)).each("topics")


def topic_row(topic: Reply) -> Row:
    """A row of `admin_topics`."""
    return topic["name"], kafka_id(topic.get("topic_id")), topic["is_internal"]


def partition_rows(topic: Reply) -> Iterator[Row]:
    """Rows of `admin_partitions`. The error codes of partitions are left out: `leader` -1 already says what they say."""
    for partition in topic["partitions"]:
        yield (
            topic["name"],
            partition["partition_index"],
            partition["leader_id"],
            partition.get("leader_epoch"),
            partition["replica_nodes"],
            partition["isr_nodes"],
            partition.get("offline_replicas"),
            partition.get("eligible_leader_replicas"),
            partition.get("last_known_elr"),
        )


def _pages_of_topics(servers: Servers, partitions_per_page: int) -> Iterator[Reply]:
    cursor = None
    while True:
        limit = {"response_partition_limit": partitions_per_page}
        reply = servers.ask(DescribeTopicPartitionsRequest(topics=[], cursor=cursor, **limit))
        for topic in reply.topics:
            yield topic.to_dict()
        if reply.next_cursor is None:
            return
        cursor = DescribeTopicPartitionsRequest.Cursor(**reply.next_cursor.to_dict())


def _land_topic(topic: Reply, landing: Landing, *, is_new: bool) -> None:
    name = topic["name"]
    with gap_on_error(landing, replace(TOPICS, what=f"topic {name}", scope=f"/topics/{name}")):
        raise_for(topic)
        if is_new:
            landing.rows("admin_topics", [topic_row(topic)])
        landing.rows("admin_partitions", partition_rows(topic))


def _land_hidden(name: str, landing: Landing) -> None:
    for question in (TOPICS, TOPIC_CONFIGS):
        what, scope = f"{question.what} ({name}, if there is such a topic)", f"{question.scope}/{name}"
        landing.gap(scope, *explain(TopicAuthorizationFailedError(), replace(question, what=what)))
