"""The assignment of replicas in a topic's znode."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import last_of_each_key, parsed, znodes_at

TOPIC = "/brokers/topics/([^/]+)"
_REPLICAS = "MAP<STRING, ARRAY<INT>>"
ASSIGNMENT = f"partitions {_REPLICAS}, adding_replicas {_REPLICAS}, removing_replicas {_REPLICAS}"


def assignment(znodes: DataFrame) -> DataFrame:
    """One row a partition: `topic`, `partition`, `replicas`, `adding`, `removing`; see `kafka.zk.TopicZNode`."""
    topics = znodes_at(znodes, TOPIC, topic="string")
    exploded = topics.withColumn("assigned", parsed(F.col("data"), ASSIGNMENT)).select(
        "topic", "assigned", F.posexplode("assigned.partitions").alias("place", "number", "replicas")
    )
    none = F.array().cast("array<int>")
    rows = exploded.select(
        "topic",
        F.col("number").try_cast("int").alias("partition"),
        "place",
        "replicas",
        F.coalesce(F.try_element_at("assigned.adding_replicas", F.col("number")), none).alias("adding"),
        F.coalesce(F.try_element_at("assigned.removing_replicas", F.col("number")), none).alias("removing"),
    ).where("partition is not null")
    return last_of_each_key(rows, "topic", "partition")
