"""Says for `varve doctor` what can be asked of a cluster, and which rights are missing."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from kafka.errors import KafkaError, TopicAuthorizationFailedError

from jobs.errors import VarveError
from jobs.sources.kafka.client import BROKERS_AT_ONCE, TOPIC, KafkaClient, Reply
from jobs.sources.kafka.configs import TOPIC_CONFIGS, broker_config, broker_question
from jobs.sources.kafka.gaps import explain, raise_for, unavailable
from jobs.sources.kafka.hidden_topics import hidden_topics
from jobs.sources.kafka.identity import Identity, identity_of
from jobs.sources.kafka.listings import LISTINGS, Listing
from jobs.sources.kafka.question import Question
from jobs.sources.kafka.quorum import QUORUM, partition_of, quorum_of_brokers, quorum_of_controllers
from jobs.sources.kafka.servers import Servers
from jobs.sources.kafka.settings import Settings
from jobs.sources.kafka.topics import TOPICS
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line for each question that `collect` asks, as far as somebody answers."""
    try:
        return list(_lines(settings, identity_of(settings)))
    except VarveError as error:
        return [Probe("Kafka", False, str(error))]


def _lines(settings: Settings, identity: Identity) -> Iterator[Probe]:
    with (
        Servers(settings.brokers, identity, settings.timeout_s) as brokers,
        Servers(settings.controllers, identity, settings.timeout_s) as controllers,
    ):
        if brokers.are_named:
            yield from _of_brokers(brokers, settings)
        if controllers.are_named:
            question = replace(QUORUM, what=f"controllers at {settings.bootstrap_controllers}")
            yield _tried(question, lambda: _leader(quorum_of_controllers(controllers)))


def _of_brokers(brokers: Servers, settings: Settings) -> Iterator[Probe]:
    what = f"Kafka at {settings.bootstrap_servers}"
    client = KafkaClient(brokers)
    try:
        ids = [broker["broker_id"] for broker in client.cluster()["brokers"]]
    except KafkaError as error:
        yield Probe(what, False, str(unavailable(error, settings)))
        return
    yield Probe(what, True, f"{len(ids)} brokers, asked {brokers.identity}")
    yield _tried(TOPICS, partial(_topics, client))
    yield _tried(TOPIC_CONFIGS, partial(_topic_config, client))
    yield broker_configs(client, sorted(ids))
    for listing in LISTINGS:
        yield _tried(listing.question, partial(_listing, client, listing))
    yield _tried(QUORUM, lambda: _leader(quorum_of_brokers(client)))


def _tried(question: Question, ask: Callable[[], str]) -> Probe:
    try:
        return Probe(question.what, True, ask())
    except KafkaError as error:
        return Probe(question.what, False, explain(error, question)[1])


def _topics(client: KafkaClient) -> str:
    listed = {topic["name"] for topic in client.topics()}
    if hidden := hidden_topics(client, listed):
        raise TopicAuthorizationFailedError(hidden[0])
    return f"{len(listed)} found"


def _topic_config(client: KafkaClient) -> str:
    for topic in client.topics():
        (result,) = client.configs(TOPIC, [topic["name"]])
        raise_for(result)
        return "told, as far as one topic shows"
    return "there is no topic to ask for"


def broker_configs(client: KafkaClient, broker_ids: list[int]) -> Probe:
    """One line for the configs of these brokers and of all, asked for at once: one that is down costs its time."""

    def count(broker_id: int | None) -> str:
        return f"{len(broker_config(client, broker_id))} set"

    def tried(broker_id: int | None) -> Probe:
        return _tried(broker_question(broker_id), partial(count, broker_id))

    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        told = list(pool.map(tried, (None, *broker_ids)))
    untold = [line.message for line in told if not line.ok]
    if untold:
        return Probe("configs of brokers", False, f"{len(untold)} of {len(told)} not told. {untold[0]}")
    return Probe("configs of brokers", True, f"told by all {len(broker_ids)}")


def _listing(client: KafkaClient, listing: Listing) -> str:
    return f"{len(listing.rows(client))} found"


def _leader(reply: Reply | None) -> str:
    if reply is None:
        return "none: this cluster lives on ZooKeeper"
    quorum = partition_of(reply)
    return f"led by node {quorum['leader_id']}, epoch {quorum['leader_epoch']}"
