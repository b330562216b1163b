"""Topics whose id is gone from ZooKeeper while the disks still have it: harmless until the controller moves."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from jobs.checks.parts.topic_ids import with_disk_ids
from schemas.judgement import Severity


def topic_id_latent(topics: DataFrame, disk_replicas: DataFrame) -> DataFrame:
    """No id in a well-formed znode, one id on the disks."""
    compared = with_disk_ids(topics, disk_replicas)
    is_latent = F.col("topic_id").isNull() & F.col("problem").isNull() & (F.size("disk_ids") == 1)
    return compared.select(
        F.col("topic").alias("subject"),
        is_latent.alias("is_hit"),
        "is_known",
        F.struct(
            F.get("disk_ids", F.lit(0)).alias("disk_topic_id"),
            F.size("replicas_on_disk").alias("replicas_with_it"),
            "znode_version",
            "data_version",
            F.col("modified_at").alias("znode_modified_at"),
        ).alias("evidence"),
    )


CHECK = Check(
    severity=Severity.WARNING,
    remedy="Do not move the controller. Reassign one partition of the topic to the replicas it has: that restores the id.",
    judge=topic_id_latent,
)
