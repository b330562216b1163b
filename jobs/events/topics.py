"""Topics created, deleted, recreated; topic ids lost, restored, replaced.

The subject is the topic, such as `orders`; `partitions_touched` counts its partitions.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, created, deleted, events_of, happened, is_now, was

CREATED = EventKind("topic-created", "A topic was created.", to_value="its topic id")
DELETED = EventKind("topic-deleted", "A topic was deleted.", from_value="its topic id")
RECREATED = EventKind(
    "topic-recreated",
    "A topic was deleted and created again.",
    from_value="topic id of the deleted one",
    to_value="topic id of the new one",
)
ID_LOST = EventKind(
    "topic-id-lost",
    "The topic is the same and has no topic id any more.",
    from_value="the topic id it had",
)
ID_REPLACED = EventKind(
    "topic-id-replaced",
    "The topic is the same and has another topic id than the last it is known to have had.",
    from_value="the topic id it had last",
    to_value="its topic id now",
)
ID_RESTORED = EventKind(
    "topic-id-restored", "A topic that had lost its id has it back.", to_value="its topic id"
)
ID_ASSIGNED = EventKind("topic-id-assigned", "A topic that never had an id got one.", to_value="its topic id")
PARTITIONS_ADDED = EventKind(
    "partitions-added",
    "Partitions were added to the topic.",
    from_value="number of partitions before",
    to_value="number of partitions now",
)


def events(topics_changes: DataFrame, topics_history: DataFrame) -> DataFrame:
    """A new id in a recreated topic is legal; in the same topic it is the outage the lake exists for.

    A malformed znode does not tell the id: what comes after it is compared with what came before it. Nor does the Admin
    API tell that a topic of the tree has none: an old broker never names one.
    """
    has_no_czxid = was("czxid").isNull() & is_now("czxid").isNull()
    is_new_id = F.coalesce(was("topic_id") != is_now("topic_id"), F.lit(False))
    is_recreated = F.coalesce(was("czxid") != is_now("czxid"), has_no_czxid & is_new_id)
    told_id = _tells_id(was("topic_id"), was("problem"))
    tells_id = _tells_id(is_now("topic_id"), is_now("problem"))
    old_id = F.when(told_id, was("topic_id")).otherwise(F.col("told_topic_id"))
    had_id = F.coalesce(old_id, F.col("last_topic_id"))
    new_id = is_now("topic_id")
    is_one_source = was("czxid").isNull() == is_now("czxid").isNull()
    changed_id = (F.col("op") == "update") & ~is_recreated & tells_id & ~new_id.eqNullSafe(old_id)
    got_id, lost_id = changed_id & new_id.isNotNull(), changed_id & new_id.isNull() & is_one_source
    partitions = was("partitions"), is_now("partitions")
    return events_of(
        topics_changes.join(_last_ids(topics_history), on="topic", how="left"),
        subject=F.col("topic"),
        candidates=[
            happened(CREATED, created(), after=new_id),
            happened(DELETED, deleted(), before=was("topic_id")),
            happened(RECREATED, is_recreated, was("topic_id"), new_id),
            happened(ID_LOST, lost_id, before=old_id),
            happened(ID_REPLACED, got_id & (new_id != had_id), had_id, new_id),
            happened(ID_RESTORED, got_id & (new_id == had_id), after=new_id),
            happened(ID_ASSIGNED, got_id & had_id.isNull(), after=new_id),
            happened(PARTITIONS_ADDED, partitions[1] > partitions[0], *partitions),
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
