"""The question that `varve events` asks the lake."""

import difflib
from datetime import datetime

from jobs.errors import UsageError
from jobs.lake.duckdb_sql import instant_of, text


def events_query(
    since: datetime | str | None, until: datetime | str | None, kind: str | None, subject: str | None
) -> str:
    """What may have happened between two points in time: a snapshot only knows that it was since the one before."""
    conditions = ["true"]
    if since is not None:
        conditions.append(f"captured_at > {instant_of(since, 'e.cluster')}")
    if until is not None:
        conditions.append(f"since_at < {instant_of(until, 'e.cluster')}")
    if kind is not None:
        conditions.append(f"event = {text(kind)}")
    if subject is not None:
        conditions.append(f"subject = {text(subject)}")
    return (
        "SELECT captured_at, cluster, event, subject, from_value, to_value, reason, partitions_touched, since_at, snapshot_id "
        f"FROM events AS e WHERE {' AND '.join(conditions)} "
        "ORDER BY captured_at, cluster, partitions_touched DESC, event, "
        "regexp_replace(subject, '[0-9]+$', ''), try_cast(regexp_extract(subject, '[0-9]+$') AS BIGINT)"
    )


def known_kind(kind: str) -> str:
    """The kind as it was given. Raises UsageError with those that are near when no event is declared so."""
    from jobs.events.parts.event import event_modules, kinds_of

    kinds = [each.name for module in event_modules() for each in kinds_of(module)]
    if kind in kinds:
        return kind
    near = difflib.get_close_matches(kind, kinds, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(kinds)}"
    raise UsageError(f"There is no kind of event {kind!r}: {hint}")
