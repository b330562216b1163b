"""Reassignments under way: from the topics' znodes, or from ListPartitionReassignments."""

from pyspark.sql import DataFrame

from jobs.tables.parts.znode import assignment


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a partition that replicas come to or go from (KIP-455)."""
    return assignment(znodes).where("size(adding) > 0 or size(removing) > 0")


def from_kafka(admin_reassignments: DataFrame) -> DataFrame:
    """One row a partition that replicas come to or go from."""
    return admin_reassignments
