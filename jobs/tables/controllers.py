"""The active controller: from `/controller` and `/controller_epoch`, or from the quorum, or from DescribeCluster."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_MIGRATES = "zookeeper.metadata.migration.enable"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row, or none while there is no controller; see `kafka.zk.ControllerZNode`, `ControllerEpochZNode`."""
    number = F.col("data").try_cast("int")
    epoch = znodes_at(znodes, "/controller_epoch").select(
        number.alias("epoch"),
        F.when(number.isNull(), "/controller_epoch is not a number").alias("epoch_problem"),
    )
    return (
        znodes_at(znodes, "/controller")
        .withColumn("doc", parsed(F.col("data"), "brokerid INT, kraftControllerEpoch INT"))
        .join(epoch, how="left")
        .select(
            F.col("doc.brokerid").alias("controller_id"),
            "epoch",
            F.col("ctime").alias("elected_at"),
            F.col("doc.kraftControllerEpoch").alias("kraft_epoch"),
            F.coalesce(no_object(F.col("data")), _no_brokerid(), "epoch_problem").alias("problem"),
        )
    )


def from_kafka(quorum: DataFrame, admin_cluster: DataFrame, broker_settings: DataFrame) -> DataFrame:
    """The quorum's leader. A cluster in ZooKeeper mode has no quorum; DescribeCluster then names its controller.

    Brokers that may migrate name any living broker once a KRaft controller rules (`KafkaApis.handleDescribeCluster`): whom
    they name is unknown.
    """
    leader = quorum.select(F.col("leader_id").alias("controller_id"), F.col("leader_epoch").alias("epoch"))
    migrates = broker_settings.where(f"name = '{_MIGRATES}' and value = 'true'").select(
        F.lit(True).alias("migrates")
    )
    named = (
        admin_cluster.where("controller_id >= 0")
        .join(quorum, how="left_anti")
        .join(migrates.limit(1), how="left")
        .select(F.when(F.col("migrates").isNull(), F.col("controller_id")).alias("controller_id"))
    )
    return leader.unionByName(named, allowMissingColumns=True)


def _no_brokerid() -> Column:
    return F.when(F.col("doc.brokerid").isNull(), F.lit("/controller names no brokerid"))
