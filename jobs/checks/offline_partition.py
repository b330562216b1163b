"""Partitions without a leader: nobody can read or write them."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from schemas.judgement import Severity


def offline_partition(partitions: DataFrame, topics: DataFrame, brokers: DataFrame) -> DataFrame:
    """`leader -1`, unless the topic is being deleted (then Kafka takes its partitions offline itself).

    Whether there is a leader is not known where the partition's state is malformed.
    """
    is_malformed = F.col("leader").isNull() & F.col("problem").isNotNull()
    live = brokers.where("not coalesce(fenced, false)").agg(F.collect_set("broker_id").alias("live"))
    deletion = topics.select("topic", F.coalesce("deletion_pending", F.lit(False)).alias("is_going"))
    return (
        partitions.where((F.col("leader") == -1) | is_malformed)
        .join(deletion, on="topic", how="left")
        .join(live, how="cross")
        .select(
            F.concat_ws("-", "topic", "partition").alias("subject"),
            (~F.coalesce("is_going", F.lit(False))).alias("is_hit"),
            (F.col("is_current") & ~is_malformed).alias("is_known"),
            F.struct(
                "leader",
                "isr",
                "eligible_leader_replicas",
                "last_known_elr",
                "replicas",
                F.array_except("replicas", "live").alias("replicas_without_broker"),
            ).alias("evidence"),
        )
    )


CHECK = Check(
    severity=Severity.CRITICAL,
    remedy=(
        "Start a broker of `isr`, or where that is empty of `eligible_leader_replicas` or `last_known_elr`, but only with "
        "its original disks: check first that its log dir still holds this partition. On an empty disk it is elected too, "
        "and the other replicas are cut to nothing."
    ),
    judge=offline_partition,
)
