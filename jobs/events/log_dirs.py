"""Log dirs that have another directory id.

The subject is the broker, such as `broker 7`, or a controller's node; `partitions_touched` counts the replicas in the log dir.
"""

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, was

DIRECTORY_ID_CHANGED = EventKind(
    "directory-id-changed",
    "A log dir has another directory id: it was formatted anew, or another disk is mounted there.",
    from_value="the path and its directory id before, such as `/d0 AbCd`",
    to_value="the path and its directory id now",
)

_REPLICAS = """
SELECT broker_id, path, count(*) AS held FROM disk_replicas WHERE topic IS NOT NULL GROUP BY broker_id, path
"""
_IDS = tuple(f"path || ' ' || {then('directory_id')}" for then in (was, is_now))

EVENTS = events_of(
    f"log_dirs_changes LEFT JOIN ({_REPLICAS}) USING (broker_id, path)",
    subject="'broker ' || broker_id",
    candidates=[
        happened(
            DIRECTORY_ID_CHANGED,
            f"{changed('directory_id')} AND {was('directory_id')} <> {is_now('directory_id')}",
            *_IDS,
        )
    ],
    touched="coalesce(held, 0)",
)
"""A log dir that gets its first directory id was upgraded, and one that is not told of says nothing."""
