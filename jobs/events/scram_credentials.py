"""SCRAM credentials that were made, changed or removed; never a credential.

The subject is the user, such as `user alice`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import EventKind, events_of, happened, is_now, was

CREDENTIAL_CHANGED = EventKind(
    "credential-changed",
    "A SCRAM credential was made, changed or removed.",
    from_value="its mechanism, iterations and fingerprint before, null where there was none",
    to_value="its mechanism, iterations and fingerprint now, null where there is none any more",
)

_MALFORMED = "SELECT \"user\" FROM scram_credentials_changes WHERE mechanism = ''"
_CREDENTIALS = tuple(
    f"CASE WHEN {then('mechanism')} IS NOT NULL THEN concat_ws(', ', {then('mechanism')}, "
    f"{then('iterations')} || ' iterations', 'fingerprint ' || {then('fingerprint')}) END"
    for then in (was, is_now)
)
_IS_TOLD = f"(({was('fingerprint')} IS NULL) = ({is_now('fingerprint')} IS NULL) OR op <> 'update')"

EVENTS = events_of(
    f'scram_credentials_changes ANTI JOIN ({_MALFORMED}) USING ("user")',
    subject="'user ' || \"user\"",
    candidates=[
        happened(
            CREDENTIAL_CHANGED,
            f"({_CREDENTIALS[0]}) IS DISTINCT FROM ({_CREDENTIALS[1]}) AND {_IS_TOLD}",
            *_CREDENTIALS,
        )
    ],
    touched="0",
)
"""The Admin API tells no fingerprint: one that is known from now on, or no longer, is no change."""
