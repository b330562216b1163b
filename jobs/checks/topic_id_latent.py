"""Topics whose id is gone from ZooKeeper while the disks still have it: harmless until the controller moves."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.topic_ids import with_disk_ids

SEVERITY = "warning"
REMEDY = "Do not move the controller. Reassign one partition of the topic to the replicas it has: that restores the id."
RUNBOOK = """
The topic's znode has no `topic_id`, the brokers' `partition.metadata` agree on one. A tool that does not know
the field rewrote the znode whole (`kafka-topics --zookeeper` before 2.8, CMAK). Everything works, and
`kafka-topics --describe` shows the right id, because the living controller has it in memory.
**The next controller election mints a new id, and then no restarted replica can rejoin the ISR.**

1. Do not restart brokers, and above all do not move the controller, while this finding is open.
2. Reassign one partition of the topic to exactly the replicas it has (`kafka-reassign-partitions.sh
   --execute`): no data moves, and the living controller writes the old id back.
3. Do so for every topic with this finding, then find and retire the tool; `znode_version` says which kind
   wrote last: 1 is CMAK or Kafka up to 2.3, 2 is Kafka 2.4 to 2.7.

Adding partitions through the Admin API does **not** heal it. Do not delete `partition.metadata`.
"""


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
