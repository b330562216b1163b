"""The few requests Varve sends to a Kafka cluster. Replies keep their error codes.

kafka-python's own describe methods drop error codes of single items, so that a refusal would read as
"nothing there"; its request classes are sent over its connections instead.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kafka.admin import KafkaAdminClient
from kafka.errors import KafkaError, RetriableError, UnsupportedVersionError
from kafka.protocol.admin import DescribeClusterRequest, DescribeConfigsRequest, DescribeQuorumRequest
from kafka.protocol.metadata import MetadataRequest

from jobs.errors import SourceUnavailableError
from jobs.sources.kafka.settings import Settings

TOPIC, BROKER = 2, 4

_PAUSE_S = 0.2

Reply = dict[str, Any]


@contextmanager
def connected(settings: Settings) -> Iterator["KafkaClient"]:
    """A client of the cluster. Raises SourceUnavailableError when no broker answers within `timeout_s`."""
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    timeout_ms = settings.timeout_s * 1000
    try:
        admin = KafkaAdminClient(
            bootstrap_servers=settings.servers,
            bootstrap_timeout_ms=timeout_ms,
            request_timeout_ms=timeout_ms,
            reconnect_backoff_max_ms=1000,
        )
    except KafkaError as error:
        raise SourceUnavailableError(
            f"No Kafka broker answers at {settings.bootstrap_servers} within {settings.timeout_s:g} s: check "
            "bootstrap_servers in varve.yaml (brokers, not controllers), and that one can be reached from here."
        ) from error
    try:
        yield KafkaClient(admin, settings.timeout_s)
    finally:
        admin.close()


class KafkaClient:
    """Asks brokers. Every method raises kafka.errors.KafkaError within the timeout when it gets no answer."""

    def __init__(self, admin: KafkaAdminClient, timeout_s: float) -> None:
        self._manager = admin._manager
        self._timeout_s = timeout_s

    def cluster(self) -> Reply:
        """DescribeCluster, or before Kafka 2.8 what Metadata says of the brokers."""
        try:
            request = DescribeClusterRequest(
                include_cluster_authorized_operations=False, include_fenced_brokers=True
            )
            return self._ask(request).to_dict()  # type: ignore[no-any-return]
        except UnsupportedVersionError:
            reply: Reply = self._ask(MetadataRequest(topics=[], allow_auto_topic_creation=False)).to_dict()
            for broker in reply["brokers"]:
                broker["broker_id"] = broker.pop("node_id")
            return reply

    def topics(self) -> Iterator[Reply]:
        """Metadata of every topic that may be described, each decoded as it is taken."""
        reply = self._ask(MetadataRequest(topics=None, allow_auto_topic_creation=False))
        return (topic.to_dict() for topic in reply.topics)

    def configs(self, kind: int, names: Sequence[str], broker_id: int | None = None) -> list[Reply]:
        """DescribeConfigs of TOPICs, or of a BROKER, which only that broker itself can tell."""
        resources = [(kind, name, None) for name in names]
        request = DescribeConfigsRequest(resources=resources, include_synonyms=False)
        return [result.to_dict() for result in self._ask(request, broker_id).results]

    def quorum(self) -> Reply:
        """DescribeQuorum of the metadata log. Raises UnsupportedVersionError on a cluster that has none."""
        topic = DescribeQuorumRequest.TopicData
        partition = topic.PartitionData(partition_index=0)
        request = DescribeQuorumRequest(
            topics=[topic(topic_name="__cluster_metadata", partitions=[partition])]
        )
        return self._ask(request).to_dict()  # type: ignore[no-any-return]

    def _ask(self, request: Any, broker_id: int | None = None) -> Any:
        """The reply of that broker, or of any: then another is tried while there is time."""
        deadline = time.monotonic() + self._timeout_s
        while True:
            left_s = deadline - time.monotonic()
            try:
                return self._manager.run(self._send, request, broker_id, left_s)
            except RetriableError:
                if broker_id is not None or time.monotonic() + _PAUSE_S >= deadline:
                    raise
                time.sleep(_PAUSE_S)

    async def _send(self, request: Any, broker_id: int | None, timeout_s: float) -> Any:
        return await self._manager.wait_for(self._manager.send(request, node_id=broker_id), timeout_s * 1000)
