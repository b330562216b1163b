"""Configurations that were set, changed or removed.

The subject is the topic, such as `orders`, or the broker, such as `broker 7`; `broker <default>` is every broker without a
value of its own. `partitions_touched` counts the topic's partitions, 0 for a broker.
"""

from jobs.events.parts.event import EventKind, events_of, happened, is_now, was
from jobs.events.parts.lives import IS_RECREATED

CONFIG_CHANGED = EventKind(
    "config-changed",
    "A configuration was set, changed or removed.",
    from_value="the name and its value before, such as `retention.ms=1000`, of a sensitive one its fingerprint or `secret`; "
    "null where it was not set",
    to_value="the name and its value now, null where it is not set any more",
)

_MALFORMED = "SELECT scope, entity FROM configs_changes WHERE name = ''"
_OTHER_LIVES = f"""
SELECT 'topic' AS scope, topic AS entity FROM topics_changes WHERE op <> 'update' OR {IS_RECREATED}
"""
_TOPICS = "SELECT 'topic' AS scope, topic AS entity, partitions FROM topics"
_VALUES = tuple(
    f"{then('name')} || '=' || coalesce({then('value')}, 'fingerprint ' || {then('fingerprint')}, 'secret')"
    for then in (was, is_now)
)

EVENTS = events_of(
    f"""configs_changes ANTI JOIN ({_MALFORMED}) USING (scope, entity) ANTI JOIN ({_OTHER_LIVES}) USING (scope, entity)
  LEFT JOIN ({_TOPICS}) USING (scope, entity)""",
    subject="CASE WHEN scope = 'topic' THEN entity ELSE scope || ' ' || entity END",
    candidates=[happened(CONFIG_CHANGED, f"({_VALUES[0]}) IS DISTINCT FROM ({_VALUES[1]})", *_VALUES)],
    touched="coalesce(partitions, 0)",
)
"""What a topic that was created or deleted had is told by the topic. A malformed record tells nothing, nor does the next one."""
