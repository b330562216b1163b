"""Partitions: the topic znode's assignment with each partition's state, or the Admin API's description."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import ASSIGNMENT, TOPIC, assignment, no_object, parsed, znodes_at

_STATE = "leader INT, leader_epoch INT, controller_epoch INT, isr ARRAY<INT>, leader_recovery_state INT"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """Every assigned partition; see `kafka.zk.TopicZNode` and `TopicPartitionStateZNode`."""
    states = _states(znodes)
    return (
        assignment(znodes)
        .unionByName(_without_assignment(znodes, states), allowMissingColumns=True)
        .join(states, on=["topic", "partition"], how="left")
        .select(
            "topic",
            "partition",
            "replicas",
            "adding",
            "removing",
            "doc.leader",
            "doc.leader_epoch",
            "doc.isr",
            "doc.controller_epoch",
            "partition_epoch",
            # Kafka writes leader_recovery_state only while it is 1, RECOVERING.
            F.when(
                F.col("doc.leader").isNotNull(), F.coalesce("doc.leader_recovery_state", F.lit(0)) == 1
            ).alias("recovering"),
            F.coalesce("problem", "assignment_problem").alias("problem"),
        )
    )


def from_kafka(admin_partitions: DataFrame, admin_reassignments: DataFrame) -> DataFrame:
    """Every partition, with the replicas that a reassignment adds and removes."""
    moving = admin_reassignments.select("topic", "partition", "adding", "removing")
    none = F.array().cast("array<int>")
    return admin_partitions.join(moving, on=["topic", "partition"], how="left").select(
        "topic",
        "partition",
        "replicas",
        F.coalesce("adding", none).alias("adding"),
        F.coalesce("removing", none).alias("removing"),
        "leader",
        "leader_epoch",
        "isr",
        "offline_replicas",
        "eligible_leader_replicas",
        "last_known_elr",
    )


def _without_assignment(znodes: DataFrame, states: DataFrame) -> DataFrame:
    """Partitions whose topic's znode is malformed. They have a state, so they still exist."""
    malformed = (
        znodes_at(znodes, TOPIC, topic="string")
        .where(parsed(F.col("data"), ASSIGNMENT)["partitions"].isNull())
        .select("topic", F.lit("the topic's znode names no partitions").alias("assignment_problem"))
    )
    return states.select("topic", "partition").join(malformed, on="topic", how="inner")


def _states(znodes: DataFrame) -> DataFrame:
    path = "/brokers/topics/([^/]+)/partitions/(0|[1-9][0-9]*)/state"
    return (
        znodes_at(znodes, path, topic="string", partition="int")
        .select(
            "topic",
            "partition",
            "data",
            parsed(F.col("data"), _STATE).alias("doc"),
            F.col("version").alias("partition_epoch"),
        )
        .withColumn("problem", F.coalesce(no_object(F.col("data")), _no_leader(), _incomplete()))
        .drop("data")
    )


def _no_leader() -> Column:
    return F.when(F.col("doc.leader").isNull(), F.lit("the state names no leader"))


def _incomplete() -> Column:
    """Kafka fails on a state that lacks any of these."""
    lacks = F.greatest(
        *[F.col(f"doc.{name}").isNull() for name in ("isr", "leader_epoch", "controller_epoch")]
    )
    return F.when(lacks, F.lit("the state lacks its isr or an epoch"))
