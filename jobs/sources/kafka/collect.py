"""Asks a cluster over the Kafka protocol and lands its replies."""

from collections.abc import Iterator
from itertools import islice

from kafka.errors import KafkaError, UnknownTopicOrPartitionError, UnsupportedVersionError

from jobs.errors import SourceUnavailableError
from jobs.landing import Landing
from jobs.sources.kafka.client import BROKER, TOPIC, KafkaClient, connected
from jobs.sources.kafka.cluster_rows import Row, broker_rows, cluster_row, partition_rows, topic_row
from jobs.sources.kafka.config_rows import DEFAULT_ENTITY, config_rows
from jobs.sources.kafka.gaps import explain, gap_on_error, raise_for
from jobs.sources.kafka.quorum_rows import member_rows, progress_rows, quorum_row
from jobs.sources.kafka.settings import Settings

_TOPICS_PER_REQUEST = 500


def collect(settings: Settings, landing: Landing) -> None:
    """Land what the cluster says; a question it does not answer is a gap and the others go on.

    Raises SourceUnavailableError when no broker answers at all.
    """
    with connected(settings) as client:
        brokers = _collect_cluster(client, landing, settings)
        topics, assigned = _collect_topics(client, landing)
        _collect_topic_configs(client, landing, topics)
        _collect_broker_configs(client, landing, brokers, assigned)
        _collect_quorum(client, landing)


def _collect_cluster(client: KafkaClient, landing: Landing, settings: Settings) -> set[int]:
    """Land the cluster and its brokers; the ids of those that answer for themselves."""
    try:
        reply = client.cluster()
        raise_for({"error_code": 0, **reply})
    except KafkaError as error:
        remedy = f"check the brokers at {settings.bootstrap_servers}"
        reason, message = explain(error, "what the cluster is", remedy)
        raise SourceUnavailableError(message, reason) from error
    landing.rows("admin_cluster", [cluster_row(reply)])
    landing.rows("admin_brokers", broker_rows(reply))
    return {broker["broker_id"] for broker in reply["brokers"]}


def _collect_topics(client: KafkaClient, landing: Landing) -> tuple[list[str], set[int]]:
    """Land topics and partitions; the names of the topics and the ids of brokers with replicas."""
    names: list[str] = []
    assigned: set[int] = set()
    remedy = "see whether the brokers are up and not overloaded"
    with gap_on_error(landing, "/topics", "its topics", remedy):
        for topic in client.topics():
            name = topic["name"]
            with gap_on_error(landing, f"/topics/{name}", f"topic {name}", remedy):
                raise_for(topic)
                landing.rows("admin_topics", [topic_row(topic)])
                landing.rows("admin_partitions", partition_rows(topic))
                assigned.update(*(partition["replica_nodes"] for partition in topic["partitions"]))
            names.append(name)
        return names, assigned
    landing.gap("/configs/topic", "not-collected", "The configs of topics were not asked for: see /topics.")
    return [], assigned


def _collect_topic_configs(client: KafkaClient, landing: Landing, topics: list[str]) -> None:
    remedy = "see whether the brokers are up and not overloaded"
    rows: list[Row] = []
    with gap_on_error(landing, "/configs/topic", "the configs of topics", remedy):
        for page in _pages(topics):
            for result in client.configs(TOPIC, page):
                name = result["resource_name"]
                with gap_on_error(landing, f"/configs/topic/{name}", f"the config of topic {name}", remedy):
                    rows.extend(_rows_of("topic", result))
        landing.rows("admin_configs", rows)


def _collect_broker_configs(
    client: KafkaClient, landing: Landing, brokers: set[int], assigned: set[int]
) -> None:
    """Land the brokers' configs. A broker that holds replicas but is down still has one that is not seen."""
    questions = [(DEFAULT_ENTITY, "", None), *((str(id), str(id), id) for id in sorted(brokers | assigned))]
    for entity, name, broker_id in questions:
        what = "the config of all brokers" if broker_id is None else f"the config of broker {broker_id}"
        remedy = "only that broker can tell it, so see whether it is up and can be reached from here"
        with gap_on_error(landing, f"/configs/broker/{entity}", what, remedy):
            for result in client.configs(BROKER, [name], broker_id):
                landing.rows("admin_configs", _rows_of("broker", result))


def _collect_quorum(client: KafkaClient, landing: Landing) -> None:
    """Land the metadata quorum; a cluster that does not know the question lives on ZooKeeper and has none."""
    remedy = (
        "it may have no leader; look at the controllers with "
        "kafka-metadata-quorum.sh --bootstrap-controller HOST:PORT describe --status"
    )
    with gap_on_error(landing, "/quorum", "the state of its metadata quorum", remedy):
        try:
            reply = client.quorum()
        except UnsupportedVersionError:
            return
        raise_for(reply)
        quorum = reply["topics"][0]["partitions"][0]
        raise_for(quorum)
        landing.rows("quorum", [quorum_row(quorum)])
        landing.rows("quorum_members", member_rows(quorum, reply.get("nodes") or []))
        landing.rows("quorum_progress", progress_rows(quorum))


def _rows_of(scope: str, result: dict[str, object]) -> list[Row]:
    try:
        raise_for(result)
    except UnknownTopicOrPartitionError:
        return []
    return list(config_rows(scope, result))


def _pages(topics: list[str]) -> Iterator[list[str]]:
    left = iter(topics)
    while page := list(islice(left, _TOPICS_PER_REQUEST)):
        yield page
