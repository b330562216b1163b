"""Tells `varve doctor` what a cluster answers over the Kafka protocol, and which rights are missing."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from kafka.errors import KafkaError, TopicAuthorizationFailedError

from jobs.errors import VarveError
from jobs.sources.kafka.configs import (
    TOPIC,
    TOPIC_CONFIGS,
    broker_config,
    broker_question,
    describe_configs,
)
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient, Reply
from jobs.sources.kafka.connection.failures import raise_for
from jobs.sources.kafka.connection.identity import Identity, identity_of
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.gaps import Question, explain, unavailable
from jobs.sources.kafka.hidden_topics import hidden_topics
from jobs.sources.kafka.listings import LISTINGS, Listing
from jobs.sources.kafka.log_dirs import ask_log_dirs, log_dirs_in, log_dirs_question
from jobs.sources.kafka.quorum import QUORUM, partition_of, quorum_of_brokers, quorum_of_controllers
from jobs.sources.kafka.settings import Settings
from jobs.sources.kafka.topics import TOPICS, listed_topics
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line for each question of `collect`; only the first when no broker answers."""
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
    yield _log_dirs(client, sorted(ids))
    for listing in LISTINGS:
        yield _tried(listing.question, partial(_listing, client, listing))
    yield _tried(QUORUM, lambda: _leader(quorum_of_brokers(client)))


def _tried(question: Question, ask: Callable[[], str]) -> Probe:
    try:
        return Probe(question.what, True, ask())
    except KafkaError as error:
        return Probe(question.what, False, explain(error, question)[1])


def _topics(client: KafkaClient) -> str:
    listed = {topic["name"] for topic in listed_topics(client)}
    if hidden := hidden_topics(client, listed):
        raise TopicAuthorizationFailedError(hidden[0])
    return f"{len(listed)} found"


def _topic_config(client: KafkaClient) -> str:
    for topic in listed_topics(client):
        (result,) = describe_configs(client, TOPIC, [topic["name"]])
        raise_for(result)
        return "readable, tried with one topic"
    return "there is no topic to try it with"


def broker_configs(client: KafkaClient, broker_ids: list[int]) -> Probe:
    """One line for the configs of these brokers and of all."""

    def read(broker_id: int | None) -> str:
        broker_config(client, broker_id)
        return "readable"

    asked = [(broker_question(broker_id), partial(read, broker_id)) for broker_id in (None, *broker_ids)]
    return _all_of("configs of brokers", asked, f"readable on all {len(broker_ids)}")


def _log_dirs(client: KafkaClient, broker_ids: list[int]) -> Probe:

    def read(broker_id: int) -> str:
        return f"{len(list(log_dirs_in(ask_log_dirs(client, broker_id))))} found"

    asked = [(log_dirs_question(broker_id), partial(read, broker_id)) for broker_id in broker_ids]
    return _all_of("log dirs of brokers", asked, f"readable on all {len(broker_ids)}")


def _all_of(what: str, asked: Sequence[tuple[Question, Callable[[], str]]], fine: str) -> Probe:
    """One line for all questions. They are asked at once, since a broker that is down takes long."""
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        lines = list(pool.map(lambda question: _tried(*question), asked))
    failed = [line.message for line in lines if not line.ok]
    if failed:
        return Probe(what, False, f"{len(failed)} of {len(lines)} not readable. {failed[0]}")
    return Probe(what, True, fine)


def _listing(client: KafkaClient, listing: Listing) -> str:
    return f"{len(listing.rows(client))} found"


def _leader(reply: Reply | None) -> str:
    if reply is None:
        return "none: this cluster lives on ZooKeeper"
    quorum = partition_of(reply)
    return f"led by node {quorum['leader_id']}, epoch {quorum['leader_epoch']}"
