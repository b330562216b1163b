"""Makes topics with a few records, and asks brokers about topics and the quorum."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from kafka import KafkaProducer
from kafka.admin import KafkaAdminClient
from kafka.errors import KafkaError
from kafka.protocol.admin import DescribeQuorumRequest

from jobs.lab.jvm import LabError

_TIMEOUT_MS = 30_000
# kafka-python 3.0.12 fails on DescribeCluster of Kafka 2.8 to 3.6 (KeyError: endpoint_type);
# as a client of 2.7 it asks for Metadata, which every version answers with its living brokers.
_BEFORE_DESCRIBE_CLUSTER = (2, 7)


def create_topic(
    bootstrap_servers: str,
    name: str,
    assignment: Sequence[Sequence[int]],
    configs: Mapping[str, str] | None = None,
) -> None:
    """Create a topic: the n-th entry of `assignment` is the replicas of partition n, the preferred leader first."""
    topic = {"assignments": dict(enumerate(map(list, assignment))), "configs": dict(configs or {})}
    with _admin(bootstrap_servers) as admin:
        admin.create_topics({name: topic}, wait_for_metadata=True)


def produce(bootstrap_servers: str, topic: str, records: int = 20) -> None:
    """Write records to the topic, spread over its partitions, acknowledged by all replicas in sync."""
    with _failing_clearly(bootstrap_servers):
        _produce(bootstrap_servers, topic, records)


def _produce(bootstrap_servers: str, topic: str, records: int) -> None:
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all", request_timeout_ms=_TIMEOUT_MS)
    try:
        partitions = sorted(producer.partitions_for(topic))
        sent = [
            producer.send(topic, f"record {number}".encode(), partition=partitions[number % len(partitions)])
            for number in range(records)
        ]
        for record in sent:
            record.get(timeout=_TIMEOUT_MS / 1000)
    finally:
        producer.close(timeout=1)


def partitions_of(bootstrap_servers: str, topic: str) -> dict[int, dict[str, Any]]:
    """What a broker says of each partition: leader_id, replica_nodes, isr_nodes …"""
    with _admin(bootstrap_servers) as admin:
        (described,) = admin.describe_topics([topic])
    return {partition["partition_index"]: partition for partition in described["partitions"]}


def live_brokers(address: str) -> set[int]:
    """The brokers that the broker at `address` knows; empty while a partition has its leader on any other broker."""
    with _admin(address, _BEFORE_DESCRIBE_CLUSTER) as admin:
        known = {broker["broker_id"] for broker in admin.describe_cluster()["brokers"]}
        partitions = _all_partitions(admin)
    return known if {partition["leader_id"] for partition in partitions} <= known | {-1} else set()


def controller_of(address: str) -> int:
    """The controller that the broker at `address` knows, -1 when it knows none."""
    with _admin(address, _BEFORE_DESCRIBE_CLUSTER) as admin:
        return int(admin.describe_cluster()["controller_id"])


def out_of_sync(bootstrap_servers: str) -> list[dict[str, Any]]:
    """The partitions with a replica that is not in the ISR."""
    with _admin(bootstrap_servers) as admin:
        partitions = _all_partitions(admin)
    return [part for part in partitions if set(part["isr_nodes"]) != set(part["replica_nodes"])]


def led_elsewhere(address: str) -> list[dict[str, Any]]:
    """The partitions that the broker at `address` sees led by another broker than their first replica."""
    with _admin(address) as admin:
        partitions = _all_partitions(admin)
    return [part for part in partitions if part["leader_id"] != part["replica_nodes"][0]]


def quorum_members(bootstrap_servers: str) -> dict[int, str]:
    """Each node of the metadata quorum with its role, voter or observer."""
    log = DescribeQuorumRequest.TopicData
    asked = log(topic_name="__cluster_metadata", partitions=[log.PartitionData(partition_index=0)])
    with _admin(bootstrap_servers) as admin:
        # admin.describe_metadata_quorum() of kafka-python 3.0.12 fails on the reply of Kafka 3.3 (KeyError: error_message).
        reply = admin._manager.run(admin._manager.send, DescribeQuorumRequest(topics=[asked])).to_dict()
    quorum = reply["topics"][0]["partitions"][0]
    observers = {member["replica_id"]: "observer" for member in quorum["observers"]}
    return observers | {member["replica_id"]: "voter" for member in quorum["current_voters"]}


def _all_partitions(admin: KafkaAdminClient) -> list[dict[str, Any]]:
    return [partition for topic in admin.describe_topics() for partition in topic["partitions"]]


@contextmanager
def _admin(bootstrap_servers: str, api_version: tuple[int, int] | None = None) -> Iterator[KafkaAdminClient]:
    """An admin client. Its errors inside the `with` become LabErrors."""
    with _failing_clearly(bootstrap_servers):
        admin = KafkaAdminClient(
            bootstrap_servers=bootstrap_servers, bootstrap_timeout_ms=_TIMEOUT_MS, api_version=api_version
        )
        with closing(admin):
            yield admin


@contextmanager
def _failing_clearly(bootstrap_servers: str) -> Iterator[None]:
    try:
        yield
    except (KafkaError, OSError) as error:
        raise LabError(f"A request to the brokers at {bootstrap_servers} failed: {error!r}") from error
