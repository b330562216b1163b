"""Access control entries that were added or removed.

The subject is the resource, such as `Topic orders` or `Group app- (prefixed)`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import CREATED, DELETED, EventKind, events_of, happened

ACL_ADDED = EventKind(
    "acl-added",
    "An access control entry was added.",
    to_value="the entry, such as `Allow User:alice Read from *`",
)
ACL_REMOVED = EventKind("acl-removed", "An access control entry was removed.", from_value="the entry")

_RESOURCE = ("resource_type", "pattern_type", "resource_name")
_MALFORMED = f"SELECT {', '.join(_RESOURCE)} FROM acls_changes WHERE principal IS NULL"
_ENTRY = "concat_ws(' ', permission, principal, operation, 'from', host)"

EVENTS = events_of(
    f"acls_changes ANTI JOIN ({_MALFORMED}) USING ({', '.join(_RESOURCE)})",
    subject="resource_type || ' ' || resource_name || CASE WHEN pattern_type = 'prefixed' THEN ' (prefixed)' ELSE '' END",
    candidates=[
        happened(ACL_ADDED, CREATED, after=_ENTRY),
        happened(ACL_REMOVED, DELETED, before=_ENTRY),
    ],
    touched="0",
)
"""An entry has no value that could change. What came of a resource whose entries were malformed, or are, is not known."""
