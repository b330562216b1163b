"""Topics whose id in the cluster differs from the one on disk: replicas cannot rejoin the ISR."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from jobs.checks.parts.topic_ids import with_disk_ids
from schemas.judgement import Severity


def topic_id_mismatch(topics: DataFrame, disk_replicas: DataFrame) -> DataFrame:
    """Disks and cluster disagree on the id, or the disks among themselves."""
    compared = with_disk_ids(topics, disk_replicas)
    is_other = F.col("topic_id").isNotNull() & (F.size(F.array_except("disk_ids", F.array("topic_id"))) > 0)
    others = F.filter("replicas_on_disk", lambda replica: ~replica["topic_id"].eqNullSafe(F.col("topic_id")))
    names = F.transform(
        others, lambda r: F.concat(F.lit("partition "), r["partition"], F.lit(" on broker "), r["broker_id"])
    )
    return compared.select(
        F.col("topic").alias("subject"),
        (is_other | (F.size("disk_ids") > 1)).alias("is_hit"),
        "is_known",
        F.struct(
            F.col("topic_id").alias("cluster_topic_id"),
            F.col("disk_ids").alias("disk_topic_ids"),
            names.alias("replicas"),
            "data_version",
        ).alias("evidence"),
    )


CHECK = Check(
    severity=Severity.CRITICAL,
    remedy=(
        "Restart no broker. In ZooKeeper mode heal every topic-id-latent finding first, then put the id of the disks back "
        "into the znode, then elect a controller once."
    ),
    judge=topic_id_mismatch,
)
