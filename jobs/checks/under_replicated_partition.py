"""Partitions with fewer in-sync replicas than assigned ones."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from schemas.judgement import Severity


def under_replicated_partition(partitions: DataFrame) -> DataFrame:
    """The ISR misses replicas that are not just being added; partitions without a leader are told apart.

    Nothing is known where the partition's state or its topic's assignment is malformed.
    """
    is_malformed = F.col("problem").isNotNull()
    settled = F.array_except("replicas", F.coalesce("adding", F.array().cast("array<int>")))
    missing = F.array_except(settled, "isr")
    return partitions.where(is_malformed | ((F.col("leader") >= 0) & (F.size(missing) > 0))).select(
        F.concat_ws("-", "topic", "partition").alias("subject"),
        F.lit(True).alias("is_hit"),
        (F.col("is_current") & ~is_malformed).alias("is_known"),
        F.struct("leader", "isr", "replicas", missing.alias("missing")).alias("evidence"),
    )


CHECK = Check(
    severity=Severity.WARNING,
    remedy="Find out why the missing replicas do not follow: broker down, disk, network, or a topic id mismatch.",
    judge=under_replicated_partition,
)
