"""Partitions without a leader: nobody can read or write them."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

SEVERITY = "critical"
REMEDY = (
    "Bring back one of the brokers in `isr`, or where that is empty in `eligible_leader_replicas` or `last_known_elr`; "
    "the partition gets its leader as soon as one registers."
)
RUNBOOK = """
The partition's state says `leader -1`: no replica of its in-sync set is alive. Kafka elects the first live
replica of the ISR in the order of the assignment; when none lives, only an unclean election could help.

1. Look at `isr`: these brokers hold everything that was acknowledged. Start one of them. With eligible leader
   replicas (KIP-966, on in new clusters since Kafka 4.1) the last one leaves the ISR too: then those in
   `eligible_leader_replicas` hold everything, and the one in `last_known_elr` shut down uncleanly and may lack the end.
2. With one replica only, that broker is the only way; keep its disk.
3. A topic that matters should not have replication factor 1.

Do **not** enable unclean leader election before you know that the brokers in the ISR are lost for good:
it throws away what only they have. Do not delete the log dir of a broker in the ISR.
"""


def offline_partition(partitions: DataFrame, topics: DataFrame, brokers: DataFrame) -> DataFrame:
    """`leader -1`, unless the topic is being deleted (then Kafka takes its partitions offline itself).

    Whether there is a leader is not known where the partition's state is malformed.
    """
    is_malformed = F.col("leader").isNull() & F.col("problem").isNotNull()
    live = brokers.where("not coalesce(fenced, false)").agg(F.collect_set("broker_id").alias("live"))
    deletion = topics.select("topic", F.coalesce("deletion_pending", F.lit(False)).alias("is_going"))
    return (
        partitions.where((F.col("leader") == -1) | is_malformed)
        .join(deletion, on="topic", how="left")
        .join(live, how="cross")
        .select(
            F.concat_ws("-", "topic", "partition").alias("subject"),
            (~F.coalesce("is_going", F.lit(False))).alias("is_hit"),
            (F.col("is_current") & ~is_malformed).alias("is_known"),
            F.struct(
                "leader",
                "isr",
                "eligible_leader_replicas",
                "last_known_elr",
                "replicas",
                F.array_except("replicas", "live").alias("replicas_without_broker"),
            ).alias("evidence"),
        )
    )
