"""What both topic id checks compare: the id the cluster keeps, and the ids on disk."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def with_disk_ids(topics: DataFrame, disk_replicas: DataFrame) -> DataFrame:
    """Topics that are not being deleted, with the ids their replicas have on disk.

    Adds `disk_ids` (distinct, sorted), `replicas_on_disk` (broker, partition, id) and `is_known`: topic and
    replicas were seen, none of them malformed, and last modified before the earlier of the two reads began, so
    that no write between the reads looks like a contradiction.
    """
    has_id = F.col("topic_id").isNotNull()
    is_whole = has_id | F.col("problem").isNull()
    replica = F.when(has_id, F.struct("broker_id", "partition", "topic_id"))
    disks = (
        disk_replicas.where("kind = 'current' and (topic_id is not null or problem is not null)")
        .groupBy("topic")
        .agg(
            F.array_sort(F.collect_set("topic_id")).alias("disk_ids"),
            F.array_sort(F.collect_list(replica)).alias("replicas_on_disk"),
            F.bool_and(F.col("is_current") & is_whole).alias("disks_are_known"),
            F.max("metadata_modified_at").alias("disks_modified_at"),
            F.min("read_at").alias("disks_read_at"),
        )
    )
    first_read = F.least("read_at", "disks_read_at")
    last_write = F.greatest("modified_at", "disks_modified_at")
    is_settled = F.coalesce(last_write < first_read, F.lit(True))
    return (
        topics.where("not coalesce(deletion_pending, false)")
        .join(disks, on="topic", how="inner")
        .withColumn("is_known", F.col("is_current") & is_whole & F.col("disks_are_known") & is_settled)
    )
