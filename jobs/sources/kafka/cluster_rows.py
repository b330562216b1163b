"""Turns replies about the cluster and its topics into rows, in the column order of `schemas/kafka_api.py`."""

from collections.abc import Iterator
from typing import Any

from jobs.sources.kafka.kafka_id import kafka_id

Row = tuple[Any, ...]


def cluster_row(reply: dict[str, Any]) -> Row:
    """A row of `admin_cluster`."""
    return reply["cluster_id"], reply["controller_id"]


def broker_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_brokers`. Kafka says `is_fenced` from version 2 of the reply on (Kafka 4.0, KIP-1073)."""
    for broker in reply["brokers"]:
        yield broker["broker_id"], broker["host"], broker["port"], broker["rack"], broker.get("is_fenced")


def topic_row(topic: dict[str, Any]) -> Row:
    """A row of `admin_topics`."""
    return topic["name"], kafka_id(topic.get("topic_id")), topic["is_internal"]


def partition_rows(topic: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_partitions`. An error code of a partition (no leader, no listener) is in `leader` already."""
    for partition in topic["partitions"]:
        yield (
            topic["name"],
            partition["partition_index"],
            partition["leader_id"],
            partition.get("leader_epoch"),
            partition["replica_nodes"],
            partition["isr_nodes"],
            partition.get("offline_replicas"),
            partition.get("eligible_leader_replicas"),
            partition.get("last_known_elr"),
        )


def feature_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_features`."""
    for feature in reply.get("finalized_features") or []:
        yield feature["name"], feature["max_version_level"], feature["min_version_level"]


def reassignment_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_reassignments`."""
    for topic in reply["topics"]:
        for partition in topic["partitions"]:
            yield (
                topic["name"],
                partition["partition_index"],
                partition["replicas"],
                partition["adding_replicas"],
                partition["removing_replicas"],
            )
