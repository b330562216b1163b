"""Client quotas that were set, changed or removed.

The subject is whom it limits, such as `user alice, client app`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import EventKind, events_of, happened, is_now, was

QUOTA_CHANGED = EventKind(
    "quota-changed",
    "A client quota was set, changed or removed.",
    from_value="the quota before, such as `producer_byte_rate=1024.0`, null where it was not set",
    to_value="the quota now, null where it is not set any more",
)

_MALFORMED = "SELECT \"user\", client_id, ip FROM quotas_changes WHERE name = ''"
_IS_OF_ONE = " AND ".join(
    f"bad.{each} IS NOT DISTINCT FROM quota.{each}" for each in ('"user"', "client_id", "ip")
)
_VALUES = tuple(f"name || '=' || {then('value')}" for then in (was, is_now))

EVENTS = events_of(
    f"quotas_changes AS quota ANTI JOIN ({_MALFORMED}) AS bad ON {_IS_OF_ONE}",
    subject="concat_ws(', ', 'user ' || \"user\", 'client ' || client_id, 'ip ' || ip)",
    candidates=[happened(QUOTA_CHANGED, f"({_VALUES[0]}) IS DISTINCT FROM ({_VALUES[1]})", *_VALUES)],
    touched="0",
)
"""A malformed record tells no quota, and what comes after it is compared with nothing."""
