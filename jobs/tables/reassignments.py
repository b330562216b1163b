"""Reassignments under way: from the topics' znodes, or from ListPartitionReassignments."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.assignment import assignment
from schemas.requests import REASSIGNMENTS


def reassignments(znodes: DataFrame, admin_reassignments: DataFrame) -> DataFrame:
    """One row a partition that replicas come to or go from (KIP-455)."""
    moving = assignment(znodes).where("size(adding) > 0 or size(removing) > 0")
    every = moving.unionByName(admin_reassignments)
    return every.withColumn("problem", F.lit(None).cast("string")).select(*REASSIGNMENTS.column_names)
