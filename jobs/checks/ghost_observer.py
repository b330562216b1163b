"""Observers of the metadata quorum that are no longer living members of the cluster."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_SILENT_S = 30
"""A node that is not known as a former broker counts as dying when it was silent so long. A healthy one fetches twice a second."""
_FETCHING_S = 3


def ghost_observer(
    quorum_members: DataFrame,
    quorum_progress: DataFrame,
    quorum: DataFrame,
    brokers: DataFrame,
    brokers_history: DataFrame,
) -> DataFrame:
    """Nodes that have an observer entry and are no living member, and brokers that should have an entry and have none."""
    silence = _silence(quorum_progress, quorum)
    former = brokers_history.select(F.col("broker_id").alias("node_id")).distinct()
    observers = _observers(quorum_members, silence, brokers, former)
    return observers.unionByName(_forgotten(quorum_members, brokers, brokers_history))


def _observers(
    quorum_members: DataFrame, silence: DataFrame, brokers: DataFrame, former: DataFrame
) -> DataFrame:
    registered = brokers.agg(
        F.collect_set("broker_id").alias("registered"),
        F.collect_set(F.when(F.expr("fenced IS NOT TRUE"), F.col("broker_id"))).alias("living"),
        F.bool_and("is_current").alias("brokers_are_current"),
    )
    observers = (
        _observer_nodes(quorum_members)
        .join(silence, on="node_id", how="left")
        .join(former.withColumn("was_broker", F.lit(True)), on="node_id", how="left")
        .join(registered, how="cross")
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
    """A fenced broker that fetches is one that starts: it is unfenced when it has caught up."""
    is_registered = F.array_contains("registered", F.col("node_id"))
    is_living = F.array_contains("living", F.col("node_id"))
    is_known_to_go = F.col("was_broker") | is_registered | (F.col("silence_s") > _SILENT_S)
    is_fetching = F.coalesce(F.col("silence_s") <= _FETCHING_S, F.lit(False))
    return (
        F.when(F.size("directory_ids") > 1, "doubled")
        .when(~is_registered & is_known_to_go & is_fetching, "zombie")
        .when(~is_living & is_known_to_go & ~is_fetching, "dying")
    )


def _forgotten(quorum_members: DataFrame, brokers: DataFrame, brokers_history: DataFrame) -> DataFrame:
    """Brokers that were fenced in an earlier snapshot already and have no entry in the quorum."""
    was_fenced = F.max_by(F.expr("fenced AND op <> 'delete'"), F.col("written_by"))
    before = brokers_history.groupBy("broker_id").agg(was_fenced.alias("was_fenced")).where("was_fenced")
    members = quorum_members.select(F.col("node_id").alias("broker_id"))
    quorum_is_current = quorum_members.agg(F.bool_and("is_current").alias("quorum_is_current"))
    return (
        brokers.where("fenced")
        .join(before, on="broker_id", how="left_semi")
        .join(members, on="broker_id", how="left_anti")
        .join(quorum_is_current, how="cross")
        .select(
            F.concat(F.lit("node "), "broker_id").alias("subject"),
            F.lit(True).alias("is_hit"),
            (F.col("is_current") & F.coalesce("quorum_is_current", F.lit(False))).alias("is_known"),
            F.struct(
                F.lit("forgotten").alias("ghost_class"),
                F.array().cast("array<string>").alias("directory_ids"),
                F.lit(True).alias("was_broker"),
            ).alias("evidence"),
        )
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


CHECK = Check(
    severity=Severity.WARNING,
    remedy=(
        "Do not stop a node because of this alone: a broker that is starting may look the same. See the runbook for its "
        "ghost class: dying goes by itself, zombie is starting or was unregistered, doubled has a new directory, "
        "forgotten comes back with its original disks or is unregistered."
    ),
    judge=ghost_observer,
)
