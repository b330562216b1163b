"""The questions Varve asks the brokers of a cluster. Replies keep their error codes.

kafka-python's own describe methods drop error codes of single items, so that a refusal would read as
"nothing there"; only its messages are used.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from kafka.errors import KafkaError, NotControllerError, UnknownBrokerIdError, UnsupportedVersionError
from kafka.protocol.admin import (
    DescribeAclsRequest,
    DescribeClusterRequest,
    DescribeConfigsRequest,
    DescribeQuorumRequest,
    DescribeTopicPartitionsRequest,
)
from kafka.protocol.metadata import MetadataRequest

from jobs.sources.kafka.connection import Connection
from jobs.sources.kafka.gaps import raise_for
from jobs.sources.kafka.servers import Servers

TOPIC, BROKER = 2, 4
PARTITIONS_PER_PAGE = 2_000
"""As many as a broker gives at most by default (`max.request.partition.size.limit`)."""

BROKERS_AT_ONCE = 8
_NAMES_PER_REQUEST = 500
_ANY = 1

Reply = dict[str, Any]


class KafkaClient:
    """Asks brokers. Every method raises kafka.errors.KafkaError within the timeout when it gets no answer."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._brokers: dict[int, str] = {}
        self._controller_id = -1

    def cluster(self) -> Reply:
        """DescribeCluster, or before Kafka 2.8 what Metadata says of the brokers. Raises for its error code.

        Under KRaft `controller_id` is None: a broker names a living one at random (`KRaftMetadataCache`).
        """
        reply = self._describe_cluster()
        raise_for({"error_code": 0, **reply})
        self.know({each["broker_id"]: _address(each) for each in reply["brokers"]})
        self._controller_id = reply["controller_id"]
        if self._servers.know(DescribeQuorumRequest):
            reply["controller_id"] = None
        return reply

    def know(self, brokers: dict[int, str]) -> None:
        """Where each broker of the cluster is reached, by its id."""
        self._brokers = brokers

    def ask(self, request: Any) -> Reply:
        """The reply, itself without an error code, of any broker that knows the question.

        Raises UnsupportedVersionError only where none knows it: during an upgrade some do and some do not.
        """
        try:
            answer = self._servers.ask(request)
        except UnsupportedVersionError as error:
            answer = self._ask_one_that_knows(request, error)
        reply: Reply = answer.to_dict()
        raise_for(reply)
        return reply

    def ask_controller(self, request: Any) -> Reply:
        """The reply of the controller; a broker that is not it hands the question on only under KRaft."""
        try:
            return self.ask(request)
        except NotControllerError:
            reply: Reply = self._ask_broker(self._controller_id, request).to_dict()
            raise_for(reply)
            return reply

    def topics(self) -> Iterator[Reply]:
        """Every topic that may be described, each decoded as it is taken.

        From DescribeTopicPartitions (Kafka 3.7 under KRaft, KIP-966), which alone tells eligible leader replicas and
        may give a topic in parts, or else from Metadata.
        """
        if self._servers.know(DescribeTopicPartitionsRequest):
            return self._topic_pages()
        return self._servers.frame(_metadata(None)).each("topics")

    def topics_named(self, names: Sequence[str]) -> Iterator[Reply]:
        """Metadata of those topics, each with its error code."""
        for page in pages(names):
            asked = [MetadataRequest.MetadataRequestTopic(name=name) for name in page]
            yield from self._servers.frame(_metadata(asked)).each("topics")

    def acls(self, resource_type: int = _ANY) -> Reply:
        """DescribeAcls of every resource, or of those of one type. Raises SecurityDisabledError without an authorizer."""
        kinds = {"pattern_type_filter": _ANY, "operation": _ANY, "permission_type": _ANY}
        names = {"resource_name_filter": None, "principal_filter": None, "host_filter": None}
        return self.ask(DescribeAclsRequest(resource_type_filter=resource_type, **kinds, **names))

    def configs(self, kind: int, names: Sequence[str], broker_id: int | None = None) -> list[Reply]:
        """DescribeConfigs of TOPICs, or of a BROKER, which only that broker itself can tell."""
        resources = [(kind, name, None) for name in names]
        request = DescribeConfigsRequest(resources=resources, include_synonyms=False)
        reply = self._servers.ask(request) if broker_id is None else self._ask_broker(broker_id, request)
        return [result.to_dict() for result in reply.results]

    def _topic_pages(self) -> Iterator[Reply]:
        cursor = None
        while True:
            limit = {"response_partition_limit": PARTITIONS_PER_PAGE}
            reply = self._servers.ask(DescribeTopicPartitionsRequest(topics=[], cursor=cursor, **limit))
            for topic in reply.topics:
                yield topic.to_dict()
            if reply.next_cursor is None:
                return
            cursor = DescribeTopicPartitionsRequest.Cursor(**reply.next_cursor.to_dict())

    def _describe_cluster(self) -> Reply:
        try:
            request = DescribeClusterRequest(
                include_cluster_authorized_operations=False, include_fenced_brokers=True
            )
            return self._servers.ask(request).to_dict()  # type: ignore[no-any-return]
        except UnsupportedVersionError:
            reply: Reply = self._servers.ask(_metadata([])).to_dict()
            for broker in reply["brokers"]:
                broker["broker_id"] = broker.pop("node_id")
            return reply

    def _ask_one_that_knows(self, request: Any, unknown: KafkaError) -> Any:
        """A broker that is silent may know the question, so then nobody can say that it has no answer."""
        with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
            told = list(pool.map(partial(self._knows, request), self._brokers))
        for broker_id, knows in zip(self._brokers, told, strict=True):
            if knows is True:
                return self._ask_broker(broker_id, request)
        raise next((failure for failure in told if isinstance(failure, KafkaError)), unknown)

    def _knows(self, request: Any, broker_id: int) -> bool | KafkaError:
        deadline = time.monotonic() + self._servers.timeout_s
        try:
            connection = Connection(self._brokers[broker_id], self._servers.identity, deadline)
        except KafkaError as error:
            return error
        try:
            return connection.knows(request)
        finally:
            connection.close()

    def _ask_broker(self, broker_id: int, request: Any) -> Any:
        if broker_id not in self._brokers:
            raise UnknownBrokerIdError(broker_id)
        deadline = time.monotonic() + self._servers.timeout_s
        connection = Connection(self._brokers[broker_id], self._servers.identity, deadline)
        try:
            return connection.ask(request, deadline)
        finally:
            connection.close()


def pages(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """The names in parts that a request may hold."""
    for start in range(0, len(names), _NAMES_PER_REQUEST):
        yield names[start : start + _NAMES_PER_REQUEST]


def _address(broker: Reply) -> str:
    return f"{broker['host']}:{broker['port']}"


def _metadata(topics: list[Any] | None) -> MetadataRequest:
    """Metadata of those topics, or of all; asking never creates one."""
    return MetadataRequest(topics=topics, allow_auto_topic_creation=False)
