"""Topics created, deleted, recreated; topic ids lost, restored, replaced."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import created, deleted, events_of, happened, is_now, nothing, was


def events(topics_changes: DataFrame, topics_history: DataFrame) -> DataFrame:
    """A new id in a recreated topic is legal; in the same topic it is the outage the lake exists for.

    A malformed znode tells no id: what comes after it is compared with what came before it.
    """
    has_no_czxid = was("czxid").isNull() & is_now("czxid").isNull()
    is_new_id = F.coalesce(was("topic_id") != is_now("topic_id"), F.lit(False))
    is_recreated = F.coalesce(was("czxid") != is_now("czxid"), has_no_czxid & is_new_id)
    tells_id, told_id = (
        _tells_id(is_now("topic_id"), is_now("problem")),
        _tells_id(was("topic_id"), was("problem")),
    )
    old_id = F.when(told_id, was("topic_id")).otherwise(F.col("told_topic_id"))
    had_id = F.coalesce(old_id, F.col("last_topic_id"))
    is_other_id = is_now("topic_id") != had_id
    changed_id = (F.col("op") == "update") & ~is_recreated & tells_id & ~is_now("topic_id").eqNullSafe(old_id)
    got_id = changed_id & is_now("topic_id").isNotNull()
    lost_id = changed_id & is_now("topic_id").isNull()
    return events_of(
        topics_changes.join(_last_ids(topics_history), on="topic", how="left"),
        subject=F.col("topic"),
        candidates=[
            happened("topic-created", created(), nothing(), is_now("topic_id")),
            happened("topic-deleted", deleted(), was("topic_id"), nothing()),
            happened("topic-recreated", is_recreated, was("topic_id"), is_now("topic_id")),
            happened("topic-id-lost", lost_id, old_id, nothing()),
            happened("topic-id-replaced", got_id & is_other_id, had_id, is_now("topic_id")),
            happened(
                "topic-id-restored", got_id & (is_now("topic_id") == had_id), nothing(), is_now("topic_id")
            ),
            happened("topic-id-assigned", got_id & had_id.isNull(), nothing(), is_now("topic_id")),
            happened(
                "partitions-added",
                is_now("partitions") > was("partitions"),
                was("partitions"),
                is_now("partitions"),
            ),
        ],
        touched=F.coalesce(is_now("partitions"), was("partitions")),
    )


def _last_ids(topics_history: DataFrame) -> DataFrame:
    """The last id each topic is known to have had, and what its znode told last when it was not malformed."""
    written_by = F.col("written_by")
    return topics_history.groupBy("topic").agg(
        F.max_by("topic_id", F.when(F.col("topic_id").isNotNull(), written_by)).alias("last_topic_id"),
        F.max_by("topic_id", F.when(_tells_id(F.col("topic_id"), F.col("problem")), written_by)).alias(
            "told_topic_id"
        ),
    )


def _tells_id(topic_id: Column, problem: Column) -> Column:
    """Whether a row says which id the topic has, or that it has none."""
    return topic_id.isNotNull() | problem.isNull()
