"""The migration to KRaft: from `/migration`."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_STATE = (
    "kraft_controller_id INT, kraft_controller_epoch INT, "
    "kraft_metadata_offset BIGINT, kraft_metadata_epoch INT"
)


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row, or none before a migration; see `kafka.zk.MigrationZNode` and `ZkMigrationLeadershipState`."""
    return (
        znodes_at(znodes, "/migration")
        .withColumn("doc", parsed(F.col("data"), _STATE))
        .select(
            F.col("doc.kraft_controller_id").alias("controller_id"),
            F.col("doc.kraft_controller_epoch").alias("controller_epoch"),
            F.col("doc.kraft_metadata_offset").alias("metadata_offset"),
            F.col("doc.kraft_metadata_epoch").alias("metadata_epoch"),
            (F.col("doc.kraft_metadata_offset") > 0).alias("is_copied"),
            F.coalesce(no_object(F.col("data")), _incomplete()).alias("problem"),
        )
    )


def _incomplete() -> Column:
    fields = (
        "kraft_controller_id",
        "kraft_controller_epoch",
        "kraft_metadata_offset",
        "kraft_metadata_epoch",
    )
    lacks = F.greatest(*[F.col(f"doc.{name}").isNull() for name in fields])
    return F.when(lacks, "the state lacks a field")
