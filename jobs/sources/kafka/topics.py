"""Asks for topics and their partitions, and whether all of them may be seen."""

from dataclasses import replace

from kafka.errors import KafkaError, TopicAuthorizationFailedError

from jobs.landing.landing import Landing
from jobs.sources.kafka.client import KafkaClient, Reply
from jobs.sources.kafka.cluster_rows import partition_rows, topic_row
from jobs.sources.kafka.configs import DOWN_BROKER_CONFIGS, TOPIC_CONFIGS
from jobs.sources.kafka.gaps import explain, gap_on_error, raise_for
from jobs.sources.kafka.hidden_topics import hidden_topics
from jobs.sources.kafka.question import Question

TOPICS = Question("topics", "/topics", "DESCRIBE on all topics")


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
        for name in hidden_topics(client, set(names)):
            _land_hidden(name, landing)
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


def _land_hidden(name: str, landing: Landing) -> None:
    for question in (TOPICS, TOPIC_CONFIGS):
        what, scope = f"{question.what} ({name}, if there is such a topic)", f"{question.scope}/{name}"
        landing.gap(scope, *explain(TopicAuthorizationFailedError(), replace(question, what=what)))
