"""The state of the metadata quorum, by way of the brokers, or from the controllers themselves."""

import time
from typing import Any

from kafka.errors import KafkaError, NotLeaderForPartitionError, UnsupportedVersionError
from kafka.protocol.admin import DescribeQuorumRequest

from jobs.sources.kafka.client import KafkaClient, Reply
from jobs.sources.kafka.failures import NoAnswerError
from jobs.sources.kafka.gaps import raise_for
from jobs.sources.kafka.question import Question
from jobs.sources.kafka.servers import Servers

QUORUM = Question(
    "state of the metadata quorum",
    "/quorum",
    "DESCRIBE on the cluster",
    "it may have no leader; look at the controllers with "
    "kafka-metadata-quorum.sh --bootstrap-controller HOST:PORT describe --status",
)

_PAUSE_S = 0.2


def quorum_of(client: KafkaClient, controllers: Servers) -> Reply | None:
    """DescribeQuorum by way of the brokers; the controllers are asked where these do not tell.

    None where there is no quorum. Raises KafkaError when neither tells.
    """
    try:
        reply = quorum_of_brokers(client)
    except KafkaError as error:
        return _of_controllers_or(error, controllers)
    return quorum_of_controllers(controllers) if reply is None and controllers.are_named else reply


def _of_controllers_or(error: KafkaError, controllers: Servers) -> Reply:
    """What the controllers say; why the brokers do not tell says more than that no controller can be reached."""
    if not controllers.are_named:
        raise error
    try:
        return quorum_of_controllers(controllers)
    except NoAnswerError:
        raise error from None


def quorum_of_brokers(client: KafkaClient) -> Reply | None:
    """DescribeQuorum of the metadata log; None for a cluster that lives on ZooKeeper and has no such log.

    Raises KafkaError when the quorum is not told.
    """
    try:
        return _told(client.ask(_request()))
    except UnsupportedVersionError:
        return None


def quorum_of_controllers(controllers: Servers) -> Reply:
    """DescribeQuorum of the one controller that knows, the leader; each is asked while there is time.

    Raises KafkaError when none of them leads, or none answers.
    """
    deadline = time.monotonic() + controllers.timeout_s
    while True:
        try:
            return _told(controllers.ask(_request()).to_dict())
        except NotLeaderForPartitionError:
            controllers.next()
            if time.monotonic() + _PAUSE_S >= deadline:
                raise
            time.sleep(_PAUSE_S)


def partition_of(reply: Reply) -> Reply:
    """What a DescribeQuorum reply says of the one partition of the metadata log."""
    partition: Reply = reply["topics"][0]["partitions"][0]
    return partition


def _told(reply: Reply) -> Reply:
    raise_for(reply)
    raise_for(partition_of(reply))
    return reply


def _request() -> Any:
    topic = DescribeQuorumRequest.TopicData
    partition = topic.PartitionData(partition_index=0)
    return DescribeQuorumRequest(topics=[topic(topic_name="__cluster_metadata", partitions=[partition])])
