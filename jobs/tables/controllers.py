"""The active controller: from `/controller` and `/controller_epoch`, or from the quorum."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.znode import not_json, parsed, znodes_at


def controllers(znodes: DataFrame, quorum: DataFrame) -> DataFrame:
    """One row, or none while there is no controller (`kafka.zk.ControllerZNode`, `ControllerEpochZNode`)."""
    return _from_zookeeper(znodes).unionByName(_from_quorum(quorum))


def _from_zookeeper(znodes: DataFrame) -> DataFrame:
    epoch = znodes_at(znodes, "/controller_epoch").select(F.col("data").try_cast("int").alias("epoch"))
    return (
        znodes_at(znodes, "/controller")
        .withColumn("doc", parsed(F.col("data"), "brokerid INT"))
        .join(epoch, how="left")
        .select(
            F.col("doc.brokerid").alias("controller_id"),
            "epoch",
            F.col("ctime").alias("elected_at"),
            not_json(F.col("data")).alias("problem"),
        )
    )


def _from_quorum(quorum: DataFrame) -> DataFrame:
    return quorum.select(
        F.col("leader_id").alias("controller_id"),
        F.col("leader_epoch").alias("epoch"),
        F.lit(None).cast("timestamp").alias("elected_at"),
        F.lit(None).cast("string").alias("problem"),
    )
