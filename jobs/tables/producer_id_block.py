"""The newest block of producer ids: from `/latest_producer_id_block`."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row, or none before the first block; see `kafka.zk.ProducerIdBlockZNode`."""
    return (
        znodes_at(znodes, "/latest_producer_id_block")
        .where("data <> ''")
        # The longs are written as strings.
        .withColumn("doc", parsed(F.col("data"), "broker INT, block_start STRING, block_end STRING"))
        .select(
            F.col("doc.broker").alias("broker_id"),
            F.col("doc.block_start").try_cast("bigint").alias("block_start"),
            F.col("doc.block_end").try_cast("bigint").alias("block_end"),
            "data",
        )
        .withColumn("problem", F.coalesce(no_object(F.col("data")), _incomplete()))
        .drop("data")
    )


def _incomplete() -> Column:
    is_whole = (
        F.col("broker_id").isNotNull() & F.col("block_start").isNotNull() & F.col("block_end").isNotNull()
    )
    return F.when(~is_whole, "the block lacks its broker, its start or its end")
