"""Asks a cluster over the Kafka protocol and lands its answers."""

from collections.abc import Iterator

from kafka.errors import KafkaError

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.kafka.configs import land_broker_configs, land_topic_configs
from jobs.sources.kafka.connection.client import KafkaClient, Reply
from jobs.sources.kafka.connection.identity import identity_of
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.gaps import gap_on_error, unavailable
from jobs.sources.kafka.listings import LISTINGS
from jobs.sources.kafka.log_dirs import land_log_dirs
from jobs.sources.kafka.offsets import land_offsets
from jobs.sources.kafka.quorum import (
    QUORUM,
    member_rows,
    partition_of,
    progress_rows,
    quorum_of,
    quorum_of_controllers,
    quorum_row,
)
from jobs.sources.kafka.security import Row
from jobs.sources.kafka.settings import Settings
from jobs.sources.kafka.topics import land_topics
from jobs.sources.kafka.views import land_views

_SCOPES = ("/cluster", "/topics", "/configs", "/log_dirs", "/offsets", "/views")
"""What brokers alone return, besides the listings."""


def collect(settings: Settings, landing: Landing) -> None:
    """Land what the cluster answers. A question that it does not answer is a gap, and the others are asked all the same.

    Raises NotReadError when neither a broker nor a controller answers.
    """
    identity = identity_of(settings)
    with (
        Servers(settings.brokers, identity, settings.timeout_s) as brokers,
        Servers(settings.controllers, identity, settings.timeout_s) as controllers,
    ):
        client = KafkaClient(brokers)
        try:
            cluster = client.cluster()
        except KafkaError as error:
            _land_without_brokers(controllers, landing, unavailable(error, settings))
        else:
            _land_from_brokers(client, landing, cluster, settings)
            with gap_on_error(landing, QUORUM):
                _land_quorum(quorum_of(client, controllers), landing)


def cluster_row(reply: Reply) -> Row:
    """A row of `admin_cluster`."""
    return reply["cluster_id"], reply["controller_id"]


def broker_rows(reply: Reply) -> Iterator[Row]:
    """Rows of `admin_brokers`. The reply has `is_fenced` from its version 2 on (Kafka 4.0, KIP-1073)."""
    for broker in reply["brokers"]:
        yield broker["broker_id"], broker["host"], broker["port"], broker["rack"], broker.get("is_fenced")


def _land_from_brokers(client: KafkaClient, landing: Landing, cluster: Reply, settings: Settings) -> None:
    landing.rows("admin_cluster", [cluster_row(cluster)])
    landing.rows("admin_brokers", broker_rows(cluster))
    living = {broker["broker_id"] for broker in cluster["brokers"]}
    listed = land_topics(client, landing)
    if settings.offsets:
        land_offsets(client, landing, listed.led)
    if listed.is_whole:
        land_views(client, landing, listed.names, _in_turn(living, cluster), settings.max_brokers_asked)
    land_topic_configs(client, landing, listed.names)
    # A broker that is down but has replicas has a config and log dirs too, and these become gaps.
    land_broker_configs(client, landing, living | listed.assigned)
    land_log_dirs(client, landing, living | listed.assigned)
    for listing in LISTINGS:
        with gap_on_error(landing, listing.question):
            rows = listing.redacted(listing.rows(client), landing.redactor.fingerprint)
            landing.rows(listing.table, rows)


def _in_turn(living: set[int], cluster: Reply) -> list[int]:
    """The brokers whose views are compared, the controller first: the others have theirs from it."""
    return sorted(living, key=lambda broker_id: (broker_id != cluster["controller_id"], broker_id))


def _land_without_brokers(controllers: Servers, landing: Landing, why: NotReadError) -> None:
    """Land the quorum, which is all that controllers return, and a gap for everything else."""
    if not controllers.are_named:
        raise why
    try:
        reply = quorum_of_controllers(controllers)
    except KafkaError as error:
        message = f"{why} The controllers do not answer either ({error or type(error).__name__})."
        raise NotReadError(why.reason, message) from error
    for scope in (*_SCOPES, *(listing.question.scope for listing in LISTINGS)):
        landing.gap(scope, why.reason, str(why))
    _land_quorum(reply, landing)


def _land_quorum(reply: Reply | None, landing: Landing) -> None:
    if reply is None:
        return
    quorum = partition_of(reply)
    landing.rows("quorum", [quorum_row(quorum)])
    landing.rows("quorum_members", member_rows(quorum, reply.get("nodes") or []))
    landing.rows("quorum_progress", progress_rows(quorum))
