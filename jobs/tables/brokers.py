"""Brokers: from their registration in ZooKeeper, or from DescribeCluster and the controllers' checkpoints."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.broker_registration import brokers_in_zookeeper
from schemas.entities import BROKERS

_UNKNOWN_OVER_THE_API = ("version", "session", "registered_at", "jmx_port", "problem")


def brokers(
    znodes: DataFrame,
    admin_cluster: DataFrame,
    admin_brokers: DataFrame,
    checkpoint_brokers: DataFrame,
    metadata_checkpoints: DataFrame,
) -> DataFrame:
    """Registered brokers. What DescribeCluster lists without saying `fenced` is not: so it is before Kafka 4.0.

    It lists no fenced broker then, so that one that is only in the newest checkpoint is fenced.
    """
    registered = _newest(checkpoint_brokers, metadata_checkpoints)
    return (
        brokers_in_zookeeper(znodes)
        .unionByName(_listed(admin_brokers))
        .unionByName(_fenced(registered, admin_brokers, admin_cluster))
    )


def _listed(admin_brokers: DataFrame) -> DataFrame:
    return admin_brokers.select(
        "broker_id",
        F.array(F.concat_ws(":", "host", "port")).alias("endpoints"),
        "rack",
        F.coalesce("fenced", F.lit(False)).alias("fenced"),
        *_nulls("epoch", "security_protocols", "features", *_UNKNOWN_OVER_THE_API),
    )


def _newest(checkpoint_brokers: DataFrame, metadata_checkpoints: DataFrame) -> DataFrame:
    """The registrations of the checkpoint that reaches furthest; a whole one before any that is malformed."""
    place = F.struct("broker_id", "path")
    reach = F.struct(F.col("problem").isNull(), "end_offset", "epoch", "broker_id", "path")
    newest = metadata_checkpoints.agg(F.max_by(place, reach).alias("newest"))
    return checkpoint_brokers.join(newest, on=place == F.col("newest"), how="left_semi")


def _fenced(registered: DataFrame, admin_brokers: DataFrame, admin_cluster: DataFrame) -> DataFrame:
    """Registrations that DescribeCluster leaves out: none where it is not followed, or tells fenced ones itself."""
    tells = admin_brokers.where("fenced IS NOT NULL")
    listed = admin_brokers.select(F.col("broker_id").alias("registered_id"))
    return (
        registered.join(listed, on="registered_id", how="left_anti")
        .join(admin_cluster, how="left_semi")
        .join(tells, how="left_anti")
        .select(
            F.col("registered_id").alias("broker_id"),
            "endpoints",
            "rack",
            F.lit(True).alias("fenced"),
            "epoch",
            "security_protocols",
            "features",
            *_nulls(*_UNKNOWN_OVER_THE_API),
        )
    )


def _nulls(*names: str) -> list[Column]:
    types = {column.name: column.type for column in BROKERS.columns}
    return [F.lit(None).cast(types[name]).alias(name) for name in names]
