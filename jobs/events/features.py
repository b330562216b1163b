"""Finalized features that were upgraded, downgraded, set or removed.

The subject is the feature, such as `feature metadata.version`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import EventKind, events_of, happened, is_now, was

FEATURE_CHANGED = EventKind(
    "feature-changed",
    "A feature was finalized at another level.",
    from_value="its level before, null where it was not finalized",
    to_value="its level now, null where it is not finalized any more",
)

_LEVELS = was("level"), is_now("level")

EVENTS = events_of(
    "features_changes ANTI JOIN (SELECT since_at AS malformed FROM features_changes WHERE feature = '') ON true",
    subject="'feature ' || feature",
    candidates=[happened(FEATURE_CHANGED, f"{_LEVELS[0]} IS DISTINCT FROM {_LEVELS[1]}", *_LEVELS)],
    touched="0",
)
"""A malformed record tells no feature, and what comes after it is compared with nothing."""
