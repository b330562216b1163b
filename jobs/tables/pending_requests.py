"""Requests to a ZooKeeper-mode controller: from the znodes below `/admin`."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import last_of_each_key, no_object, parsed, znodes_at

_PARTITIONS = "partitions ARRAY<STRUCT<topic: STRING, partition: INT, replicas: ARRAY<INT>>>"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a topic or partition; see `kafka.zk.DeleteTopicsTopicZNode`, `ReassignPartitionsZNode`,
    `PreferredReplicaElectionZNode`. What Kafka ignores because it is malformed is one row without a topic.
    """
    return _of_partitions(znodes).unionByName(_deletions(znodes), allowMissingColumns=True)


def _deletions(znodes: DataFrame) -> DataFrame:
    return znodes_at(znodes, "/admin/delete_topics/([^/]+)", topic="string").select(
        F.lit("delete_topics").alias("request"),
        "topic",
        F.col("path").alias("znode"),
    )


def _of_partitions(znodes: DataFrame) -> DataFrame:
    documents = (
        znodes_at(znodes, "/admin/(reassign_partitions|preferred_replica_election)", request="string")
        .withColumn("doc", parsed(F.col("data"), _PARTITIONS))
        .withColumn("malformed", F.coalesce(no_object(F.col("data")), _no_partitions()))
    )
    # A malformed znode has no list to explode, but stays as one row.
    asked = documents.select(
        "request", "path", "malformed", F.posexplode_outer("doc.partitions").alias("place", "asked")
    )
    every = asked.where("malformed is not null or place is not null").select(
        "request",
        "asked.topic",
        "asked.partition",
        F.when(F.col("request") == "reassign_partitions", F.col("asked.replicas")).alias("replicas"),
        F.col("path").alias("znode"),
        F.coalesce("malformed", _incomplete()).alias("problem"),
        "place",
    )
    return last_of_each_key(every, "request", "topic", "partition")


def _no_partitions() -> Column:
    return F.when(F.col("doc.partitions").isNull(), "the request names no partitions")


def _incomplete() -> Column:
    is_election = F.col("request") == "preferred_replica_election"
    is_whole = F.col("asked.topic").isNotNull() & F.col("asked.partition").isNotNull()
    is_answerable = is_whole & (is_election | F.col("asked.replicas").isNotNull())
    return F.when(~is_answerable, "an entry lacks its topic, its partition or its replicas")
