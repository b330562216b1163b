"""Asks for topics and their partitions, and whether all of them may be seen."""

import uuid
from dataclasses import replace

from kafka.errors import KafkaError, TopicAuthorizationFailedError, UnknownTopicOrPartitionError

from jobs.landing import Landing
from jobs.sources.kafka.client import KafkaClient, Reply
from jobs.sources.kafka.cluster_rows import partition_rows, topic_row
from jobs.sources.kafka.configs import DOWN_BROKER_CONFIGS, TOPIC_CONFIGS
from jobs.sources.kafka.failures import RefusedError
from jobs.sources.kafka.gaps import explain, gap_on_error, raise_for
from jobs.sources.kafka.question import Question

TOPICS = Question("topics", "/topics", "DESCRIBE on all topics")


class SomeTopicsOnlyError(RefusedError):
    """There may be topics that Varve is not told of."""

    def __init__(self) -> None:
        super().__init__(
            "brokers are silent about the topics that Varve's principal may not describe, and it may not describe "
            f"all: grant it {TOPICS.right} (--topic '*'), for until then no topic is taken for deleted",
            "unauthorized",
        )


def land_topics(client: KafkaClient, landing: Landing) -> tuple[list[str], set[int]]:
    """Land topics and partitions; the names of the topics and the ids of brokers with replicas.

    Where there may be more of them, what hangs on these is a gap too: no config is asked for that nobody knows of.
    """
    names: list[str] = []
    assigned: set[int] = set()
    try:
        for topic in client.topics():
            is_new = names[-1:] != [topic["name"]]
            if is_new:
                names.append(topic["name"])
            assigned |= _land_topic(topic, landing, is_new=is_new)
        check_every_topic(client)
    except KafkaError as error:
        for question in (TOPICS, TOPIC_CONFIGS, DOWN_BROKER_CONFIGS):
            landing.gap(question.scope, *explain(error, question))
    return names, assigned


def _land_topic(topic: Reply, landing: Landing, *, is_new: bool) -> set[int]:
    name = topic["name"]
    with gap_on_error(landing, replace(TOPICS, what=f"topic {name}", scope=f"/topics/{name}")):
        raise_for(topic)
        if is_new:
            landing.rows("admin_topics", [topic_row(topic)])
        landing.rows("admin_partitions", partition_rows(topic))
    return {broker_id for partition in topic["partitions"] for broker_id in partition["replica_nodes"]}


def check_every_topic(client: KafkaClient) -> None:
    """Raise SomeTopicsOnlyError unless Varve's principal may describe a topic whatever its name is.

    Brokers leave the topics that it may not describe out of their list in silence; asked for one by name they
    refuse, before they say whether there is such a topic. Raises KafkaError when there is no answer.
    """
    try:
        raise_for(client.topic(f"varve-{uuid.uuid4()}"))
    except TopicAuthorizationFailedError as error:
        raise SomeTopicsOnlyError from error
    except UnknownTopicOrPartitionError:
        pass
