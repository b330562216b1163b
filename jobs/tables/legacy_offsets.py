"""Offsets of old consumers: from `/consumers`."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import znodes_at

_PATH = "/consumers/([^/]+)/offsets/([^/]+)/(0|[1-9][0-9]*)"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a partition; see `kafka.zk.ConsumerOffset`: decimal text."""
    offset = F.col("data").try_cast("bigint")
    return znodes_at(znodes, _PATH, group_id="string", topic="string", partition="int").select(
        "group_id",
        "topic",
        "partition",
        offset.alias("committed_offset"),
        F.when(F.col("data").isNotNull() & offset.isNull(), "the offset is not a number").alias("problem"),
    )
