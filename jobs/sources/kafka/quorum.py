"""Asks for the state of the metadata quorum, through the brokers or the controllers themselves, and makes its rows.

DescribeQuorum: KIP-595, KIP-836, KIP-853. The rows are in the column order of `schemas/quorum.py`.
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from kafka.errors import KafkaError, NotLeaderForPartitionError, UnsupportedVersionError
from kafka.protocol.admin import DescribeQuorumRequest

from jobs.sources.kafka.connection.client import KafkaClient, Reply
from jobs.sources.kafka.connection.failures import NoAnswerError, raise_for
from jobs.sources.kafka.connection.frame import kafka_id
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.gaps import Question

QUORUM = Question(
    "state of the metadata quorum",
    "/quorum",
    "DESCRIBE on the cluster",
    "it may have no leader; look at the controllers with "
    "kafka-metadata-quorum.sh --bootstrap-controller HOST:PORT describe --status",
)

Row = tuple[Any, ...]

_PAUSE_S = 0.2
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_INSTANT_MS = 253_402_300_799_999
"""The end of the year 9999."""


def quorum_of(client: KafkaClient, controllers: Servers) -> Reply | None:
    """The DescribeQuorum reply of the brokers, or of the controllers when the brokers do not return one.

    None when the cluster has no quorum. Raises KafkaError when neither returns a reply.
    """
    try:
        reply = quorum_of_brokers(client)
    except KafkaError as error:
        return _of_controllers_or(error, controllers)
    return quorum_of_controllers(controllers) if reply is None and controllers.are_named else reply


def _of_controllers_or(error: KafkaError, controllers: Servers) -> Reply:
    """The reply of the controllers. If none can be reached, the error of the brokers says more and is raised."""
    if not controllers.are_named:
        raise error
    try:
        return quorum_of_controllers(controllers)
    except NoAnswerError:
        raise error from None


def quorum_of_brokers(client: KafkaClient) -> Reply | None:
    """The DescribeQuorum reply; None for a cluster in ZooKeeper mode, which has no quorum. Raises KafkaError."""
    try:
        return _checked(client.ask(_request()))
    except UnsupportedVersionError:
        return None


def quorum_of_controllers(controllers: Servers) -> Reply:
    """The DescribeQuorum reply of the leader: each controller is asked in turn until one leads or the time is over.

    Raises KafkaError when none of them leads or none answers.
    """
    deadline = time.monotonic() + controllers.timeout_s
    while True:
        try:
            return _checked(controllers.ask(_request()).to_dict())
        except NotLeaderForPartitionError:
            controllers.next()
            if time.monotonic() + _PAUSE_S >= deadline:
                raise
            time.sleep(_PAUSE_S)


def partition_of(reply: Reply) -> Reply:
    """The part of a DescribeQuorum reply about the one partition of the metadata log."""
    partition: Reply = reply["topics"][0]["partitions"][0]
    return partition


def quorum_row(quorum: Reply) -> Row:
    """A row of `quorum`."""
    return quorum["leader_id"], quorum["leader_epoch"]


def member_rows(quorum: Reply, nodes: list[Reply]) -> Iterator[Row]:
    """Rows of `quorum_members`. Kafka returns listeners, by node id, for voters only."""
    endpoints = {node["node_id"]: [_endpoint(listener) for listener in node["listeners"]] for node in nodes}
    for voter in quorum["current_voters"]:
        yield *_key(voter), "voter", endpoints.get(voter["replica_id"])
    for observer in quorum["observers"]:
        yield *_key(observer), "observer", None


def progress_rows(quorum: Reply) -> Iterator[Row]:
    """Rows of `quorum_progress`. A leader that is being removed from the voters is among the observers."""
    members = [*quorum["current_voters"], *quorum["observers"]]
    leader_end = next(
        (member.get("log_end_offset") for member in members if member["replica_id"] == quorum["leader_id"]),
        None,
    )
    for member in members:
        end = member.get("log_end_offset")
        yield (
            *_key(member),
            quorum["high_watermark"],
            end,
            _lag(leader_end, end),
            _instant(member.get("last_fetch_timestamp")),
            _instant(member.get("last_caught_up_timestamp")),
        )


def _checked(reply: Reply) -> Reply:
    raise_for(reply)
    raise_for(partition_of(reply))
    return reply


def _request() -> Any:
    topic = DescribeQuorumRequest.TopicData
    partition = topic.PartitionData(partition_index=0)
    return DescribeQuorumRequest(topics=[topic(topic_name="__cluster_metadata", partitions=[partition])])


def _lag(leader_end: int | None, end: int | None) -> int | None:
    """The lag in records; None when an offset is unknown or -1, which means that the member has never fetched."""
    if leader_end is None or end is None or min(leader_end, end) < 0:
        return None
    return leader_end - end


def _key(member: Reply) -> tuple[int, str | None]:
    return member["replica_id"], kafka_id(member.get("replica_directory_id"))


def _endpoint(listener: Reply) -> str:
    return f"{listener['name']}://{listener['host']}:{listener['port']}"


def _instant(milliseconds: int | None) -> datetime | None:
    if milliseconds is None or not 0 <= milliseconds <= _LAST_INSTANT_MS:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)
