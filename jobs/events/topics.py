"""Topics created, deleted, recreated; topic ids lost, restored, replaced."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.event import changed, created, deleted, events_of, happened, is_now, nothing, was


def events(topics_changes: DataFrame, topics_history: DataFrame) -> DataFrame:
    """A new id in a recreated topic is legal; in the same topic it is the outage the lake exists for."""
    has_no_czxid = was("czxid").isNull() & is_now("czxid").isNull()
    is_new_id = F.coalesce(was("topic_id") != is_now("topic_id"), F.lit(False))
    is_recreated = F.coalesce(was("czxid") != is_now("czxid"), has_no_czxid & is_new_id)
    had_id = F.coalesce(was("topic_id"), F.col("last_topic_id"))
    is_other_id = is_now("topic_id") != had_id
    got_id = changed("topic_id") & ~is_recreated & is_now("topic_id").isNotNull()
    is_well_formed = is_now("problem").isNull()
    lost_id = changed("topic_id") & ~is_recreated & is_now("topic_id").isNull() & is_well_formed
    return events_of(
        topics_changes.join(_last_ids(topics_history), on="topic", how="left"),
        subject=F.col("topic"),
        candidates=[
            happened("topic-created", created(), nothing(), is_now("topic_id")),
            happened("topic-deleted", deleted(), was("topic_id"), nothing()),
            happened("topic-recreated", is_recreated, was("topic_id"), is_now("topic_id")),
            happened("topic-id-lost", lost_id, was("topic_id"), nothing()),
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
    """The last id each topic is known to have had."""
    with_id = topics_history.where("topic_id is not null")
    return with_id.groupBy("topic").agg(F.max_by("topic_id", "written_by").alias("last_topic_id"))
