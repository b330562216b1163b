"""Brokers that lead too few of the partitions that prefer them."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_KEY = "leader.imbalance.per.broker.percentage"
_DEFAULT_PERCENTAGE = 10


def leader_imbalance(
    partitions: DataFrame, topics: DataFrame, brokers: DataFrame, configs: DataFrame
) -> DataFrame:
    """As `KafkaController.checkAndTriggerAutoLeaderRebalance` counts it, for brokers that are there and not fenced.

    Partitions without a leader or a state count in the total and never as imbalanced. A malformed state does not say who
    leads: nothing is known of the broker that its partition prefers. A malformed topic does not say whom its partitions
    prefer: nothing is known of any broker.
    """
    going = topics.where("deletion_pending").select("topic")
    led_elsewhere = (F.col("leader") >= 0) & (F.col("leader") != F.col("broker_id"))
    is_malformed = F.col("leader").isNull() & F.col("problem").isNotNull()
    staying = partitions.join(going, on="topic", how="left_anti")
    assigned = staying.agg((F.count_if(F.col("replicas").isNull()) == 0).alias("is_whole"))
    per_broker = (
        staying.withColumn("broker_id", F.get("replicas", F.lit(0)))
        .groupBy("broker_id")
        .agg(
            F.count("*").alias("preferred_count"),
            F.count_if(led_elsewhere).alias("led_elsewhere_count"),
            F.bool_and(F.col("is_current") & ~is_malformed).alias("are_known"),
        )
    )
    percentage = configs.where((F.col("scope") == "broker") & (F.col("name") == _KEY)).agg(
        F.coalesce(F.min(F.col("value").try_cast("int")), F.lit(_DEFAULT_PERCENTAGE)).alias(
            "allowed_percentage"
        )
    )
    live = brokers.where("not coalesce(fenced, false)").select("broker_id", "is_current")
    ratio = F.col("led_elsewhere_count") * 100 > F.col("preferred_count") * F.col("allowed_percentage")
    return (
        live.join(per_broker, on="broker_id", how="left")
        .join(percentage.join(assigned, how="cross"), how="cross")
        .select(
            F.concat(F.lit("broker "), "broker_id").alias("subject"),
            ratio.alias("is_hit"),
            (F.coalesce("are_known", F.lit(True)) & F.col("is_whole") & F.col("is_current")).alias(
                "is_known"
            ),
            F.struct("preferred_count", "led_elsewhere_count", "allowed_percentage").alias("evidence"),
        )
    )


CHECK = Check(
    severity=Severity.WARNING,
    remedy="Run a preferred leader election (kafka-leader-election --election-type preferred) once the ISR is full.",
    judge=leader_imbalance,
)
