"""Kafka's own cluster id: from `/cluster/id`, or from DescribeCluster."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row; see `kafka.zk.ClusterIdZNode`."""
    return (
        znodes_at(znodes, "/cluster/id")
        .withColumn("doc", parsed(F.col("data"), "id STRING"))
        .select(
            F.col("doc.id").alias("cluster_id"),
            F.coalesce(no_object(F.col("data")), _no_id()).alias("problem"),
        )
    )


def from_kafka(admin_cluster: DataFrame) -> DataFrame:
    """One row."""
    return admin_cluster.select("cluster_id")


def _no_id() -> Column:
    return F.when(F.col("doc.id").isNull(), "/cluster/id names no id")
