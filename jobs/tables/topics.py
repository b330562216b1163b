"""Topics: from their znodes, or from the topics and partitions that the Admin API describes."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.spelling import kafka_uuid
from jobs.tables.parts.znode import ASSIGNMENT, no_object, parsed, znodes_at

_TOPIC = f"version INT, topic_id STRING, {ASSIGNMENT}"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """Topics with the id the cluster keeps for them; see `kafka.zk.TopicZNode` for the znode's versions."""
    pending = znodes_at(znodes, "/admin/delete_topics/([^/]+)", topic="string").select(
        "topic", F.lit(True).alias("is_pending")
    )
    return (
        znodes_at(znodes, "/brokers/topics/([^/]+)", topic="string")
        .withColumn("doc", parsed(F.col("data"), _TOPIC))
        .join(pending, on="topic", how="left")
        .select(
            "topic",
            kafka_uuid(F.col("doc.topic_id")).alias("topic_id"),
            F.size("doc.partitions").alias("partitions"),
            _factor(
                F.try_element_at("doc.partitions", F.lit("0")),
                F.try_element_at("doc.adding_replicas", F.lit("0")),
            ).alias("replication_factor"),
            F.col("doc.version").alias("znode_version"),
            F.col("version").alias("data_version"),
            "czxid",
            F.col("ctime").alias("created_at"),
            F.col("mtime").alias("modified_at"),
            F.coalesce("is_pending", F.lit(False)).alias("deletion_pending"),
            F.coalesce(no_object(F.col("data")), _bad_topic_id(), _no_partitions()).alias("problem"),
        )
    )


def from_kafka(
    admin_topics: DataFrame, admin_partitions: DataFrame, admin_reassignments: DataFrame
) -> DataFrame:
    """Topics with their id and the size that their partitions tell."""
    moving = admin_reassignments.select("topic", "partition", "adding")
    factor = F.min_by(_factor(F.col("replicas"), F.col("adding")), F.col("partition"))
    sizes = (
        admin_partitions.join(moving, on=["topic", "partition"], how="left")
        .groupBy("topic")
        .agg(F.count("*").cast("int").alias("partitions"), factor.alias("replication_factor"))
    )
    return admin_topics.join(sizes, on="topic", how="left").select(
        "topic", "topic_id", "partitions", "replication_factor"
    )


def _factor(replicas: Column, adding: Column) -> Column:
    """How many replicas there are, without those that a reassignment adds."""
    none = F.array().cast("array<int>")
    return F.size(F.array_except(replicas, F.coalesce(adding, none)))


def _bad_topic_id() -> Column:
    text = F.col("doc.topic_id")
    is_bad = text.isNotNull() & kafka_uuid(text).isNull()
    return F.when(is_bad, F.concat(F.lit("topic_id is no id: "), text))


def _no_partitions() -> Column:
    return F.when(F.col("doc.partitions").isNull(), F.lit("the znode names no partitions"))
