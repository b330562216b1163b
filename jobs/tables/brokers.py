"""Brokers: from their registration in ZooKeeper, or from DescribeCluster."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.znode import no_object, parsed, znodes_at

_REGISTRATION = "endpoints ARRAY<STRING>, rack STRING, host STRING, port INT"


def brokers(znodes: DataFrame, admin_brokers: DataFrame) -> DataFrame:
    """Registered brokers; see `kafka.zk.BrokerIdZNode` for the five versions of the znode."""
    return _from_zookeeper(znodes).unionByName(_from_admin(admin_brokers))


def _from_zookeeper(znodes: DataFrame) -> DataFrame:
    plain = F.array(F.concat_ws(":", F.lit("PLAINTEXT"), F.concat(F.lit("//"), "doc.host"), "doc.port"))
    return (
        znodes_at(znodes, "/brokers/ids/([0-9]+)", broker_id="int")
        .withColumn("doc", parsed(F.col("data"), _REGISTRATION))
        .select(
            "broker_id",
            # Version 1 knew no endpoints, only one host and port.
            F.coalesce("doc.endpoints", F.when(F.col("doc.host").isNotNull(), plain)).alias("endpoints"),
            F.col("doc.rack").alias("rack"),
            F.col("czxid").alias("epoch"),
            F.col("ephemeral_owner").alias("session"),
            F.col("ctime").alias("registered_at"),
            F.lit(None).cast("boolean").alias("fenced"),
            F.coalesce(no_object(F.col("data")), _no_endpoints()).alias("problem"),
        )
    )


def _no_endpoints() -> Column:
    is_nowhere = F.col("doc.endpoints").isNull() & F.col("doc.host").isNull()
    return F.when(is_nowhere, F.lit("the registration names no endpoints"))


def _from_admin(admin_brokers: DataFrame) -> DataFrame:
    return admin_brokers.select(
        "broker_id",
        F.array(F.concat_ws(":", "host", "port")).alias("endpoints"),
        "rack",
        F.lit(None).cast("bigint").alias("epoch"),
        F.lit(None).cast("bigint").alias("session"),
        F.lit(None).cast("timestamp").alias("registered_at"),
        "fenced",
        F.lit(None).cast("string").alias("problem"),
    )
