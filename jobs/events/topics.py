"""Topics created, deleted, recreated; topic ids lost, restored, replaced.

The subject is the topic, such as `orders`; `partitions_touched` counts its partitions.
"""

from jobs.events.parts.event import CREATED, DELETED, EventKind, events_of, happened, is_now, was
from jobs.events.parts.lives import IS_RECREATED

TOPIC_CREATED = EventKind("topic-created", "A topic was created.", to_value="its topic id")
TOPIC_DELETED = EventKind("topic-deleted", "A topic was deleted.", from_value="its topic id")
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
DELETION_STARTED = EventKind(
    "topic-deletion-started",
    "A topic was marked for deletion, and is not deleted yet.",
    from_value="false",
    to_value="true",
)
PARTITIONS_ADDED = EventKind(
    "partitions-added",
    "Partitions were added to the topic.",
    from_value="number of partitions before",
    to_value="number of partitions now",
)


def _tells_id(topic_id: str, problem: str) -> str:
    """Whether a row says which id the topic has, or that it has none."""
    return f"({topic_id} IS NOT NULL OR {problem} IS NULL)"


_LAST_IDS = f"""
SELECT topic, max_by(topic_id, written_by) FILTER (topic_id IS NOT NULL) AS last_topic_id,
  arg_max_null(topic_id, written_by) FILTER {_tells_id("topic_id", "problem")} AS told_topic_id
FROM topics_history GROUP BY topic
"""
"""The last id each topic is known to have had, and what its znode told last when it was not malformed."""
_NEW_ID = is_now("topic_id")
_CHANGES = f"""(
  SELECT *, {IS_RECREATED} AS is_recreated,
    CASE WHEN {_tells_id(was("topic_id"), was("problem"))} THEN before.topic_id ELSE told_topic_id END AS old_id,
    coalesce(old_id, last_topic_id) AS had_id,
    op = 'update' AND NOT is_recreated AND {_tells_id(_NEW_ID, is_now("problem"))}
      AND {_NEW_ID} IS DISTINCT FROM old_id AS has_changed_id,
    (before.czxid IS NULL) = (after.czxid IS NULL) AS is_one_source
  FROM topics_changes LEFT JOIN ({_LAST_IDS}) USING (topic)
)"""
_GOT_ID = f"has_changed_id AND {_NEW_ID} IS NOT NULL"
_PARTITIONS = was("partitions"), is_now("partitions")
_DELETION = was("deletion_pending"), is_now("deletion_pending")

EVENTS = events_of(
    _CHANGES,
    subject="topic",
    candidates=[
        happened(TOPIC_CREATED, CREATED, after=_NEW_ID),
        happened(TOPIC_DELETED, DELETED, before=was("topic_id")),
        happened(RECREATED, "is_recreated", was("topic_id"), _NEW_ID),
        happened(ID_LOST, f"has_changed_id AND {_NEW_ID} IS NULL AND is_one_source", before="old_id"),
        happened(ID_REPLACED, f"{_GOT_ID} AND {_NEW_ID} <> had_id", "had_id", _NEW_ID),
        happened(ID_RESTORED, f"{_GOT_ID} AND {_NEW_ID} = had_id", after=_NEW_ID),
        happened(ID_ASSIGNED, f"{_GOT_ID} AND had_id IS NULL", after=_NEW_ID),
        happened(DELETION_STARTED, f"NOT {_DELETION[0]} AND {_DELETION[1]}", *_DELETION),
        happened(PARTITIONS_ADDED, f"{_PARTITIONS[1]} > {_PARTITIONS[0]} AND NOT is_recreated", *_PARTITIONS),
    ],
    touched="coalesce(after.partitions, before.partitions)",
)
"""A new id in a recreated topic is legal; in the same topic it is the outage the lake exists for.

A malformed znode does not tell the id: what comes after it is compared with what came before it. Nor does the Admin API
tell that a topic of the tree has none: an old broker never names one.
"""
