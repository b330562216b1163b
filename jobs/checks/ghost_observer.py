"""Observers of the metadata quorum that are no living member of the cluster any more."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

SEVERITY = "warning"
REMEDY = "See its class: a dying one goes by itself in five minutes, a zombie must be stopped, a doubled one was reformatted."
RUNBOOK = """
The quorum leader remembers every replica that fetches the metadata log, by node id and directory id. It drops an
entry only 300 s after its last fetch, and only while it answers a DescribeQuorum request, so Varve's own
polling is part of what cleans the list.

- **dying**: it has stopped fetching. A broker that was stopped, killed or cut off. If that was meant, wait; the
  registration stays until `kafka-cluster.sh unregister --id N`.
- **zombie**: it still fetches, lag 0, yet it is no registered broker any more: unregistered while its
  process runs, or fenced away. Stop that process.
- **doubled**: the node fetches under a new directory id, its disk was replaced or reformatted. The old entry
  goes by itself; if it was a voter, remove the old directory id from the voters.

An observer that was never a broker may be a healthy controller waiting to be added: that is no ghost. Do not
answer a ghost by removing voters: its entry does no harm, a lost majority does.
"""

_SILENT_S = 30
"""A healthy observer fetches every half second; one not known as a former broker must be silent that long."""
_FETCHING_S = 3


def ghost_observer(
    quorum_members: DataFrame,
    quorum_progress: DataFrame,
    quorum: DataFrame,
    brokers: DataFrame,
    brokers_history: DataFrame,
) -> DataFrame:
    """Nodes with an observer entry that is no living member: doubled, zombie or dying."""
    former = brokers_history.select("broker_id").distinct().withColumn("was_broker", F.lit(True))
    is_live = ~F.coalesce("fenced", F.lit(False))
    live = brokers.agg(
        F.collect_set(F.when(is_live, F.col("broker_id"))).alias("live"),
        F.bool_and("is_current").alias("brokers_are_current"),
    )
    observers = (
        _observer_nodes(quorum_members)
        .join(_silence(quorum_progress, quorum), on="node_id", how="left")
        .join(former.withColumnRenamed("broker_id", "node_id"), on="node_id", how="left")
        .join(live, how="cross")
        .withColumn("was_broker", F.coalesce("was_broker", F.lit(False)))
    )
    ghost_class = _ghost_class()
    return observers.select(
        F.concat(F.lit("node "), "node_id").alias("subject"),
        ghost_class.isNotNull().alias("is_hit"),
        (F.col("members_are_current") & F.coalesce("brokers_are_current", F.lit(True))).alias("is_known"),
        F.struct(ghost_class.alias("ghost_class"), "directory_ids", "was_broker").alias("evidence"),
    )


def _ghost_class() -> Column:
    is_gone = ~F.array_contains("live", F.col("node_id"))
    is_silent = F.col("silence_s") > _SILENT_S
    is_ghost = is_gone & (F.col("was_broker") | is_silent)
    is_fetching = F.col("silence_s") <= _FETCHING_S
    return (
        F.when(F.size("directory_ids") > 1, "doubled")
        .when(is_ghost & is_fetching, "zombie")
        .when(is_ghost, "dying")
    )


def _observer_nodes(quorum_members: DataFrame) -> DataFrame:
    """One row per node that has an observer entry, with the directory ids of all its entries."""
    return (
        quorum_members.groupBy("node_id")
        .agg(
            F.array_sort(F.collect_set("directory_id")).alias("directory_ids"),
            F.bool_or(F.col("role") == "observer").alias("observes"),
            F.bool_and("is_current").alias("members_are_current"),
        )
        .where("observes")
    )


def _silence(quorum_progress: DataFrame, quorum: DataFrame) -> DataFrame:
    """Seconds since the last fetch of each node, by the leader's own clock: it reports itself as fetching now."""
    fetched = quorum_progress.groupBy("node_id").agg(F.max("last_fetch_at").alias("last_fetch_at"))
    leader = quorum.select(F.col("leader_id").alias("node_id")).join(fetched, on="node_id", how="inner")
    now = leader.select(F.col("last_fetch_at").alias("leader_now"))
    silence = F.col("leader_now").cast("double") - F.col("last_fetch_at").cast("double")
    return fetched.join(now, how="cross").select("node_id", silence.alias("silence_s"))
