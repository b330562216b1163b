"""Points in time as people write them."""

import re
from datetime import UTC, datetime

from jobs.errors import UsageError
from jobs.lake.snapshot_id import logical_time

_SNAPSHOT_ID = re.compile(r"\d{8}T\d{6}Z")


def point_in_time(given: str) -> datetime | str:
    """An instant from ISO 8601, UTC where it names no zone, or a snapshot id as it is.

    Raises UsageError when it is neither.
    """
    if _SNAPSHOT_ID.fullmatch(given):
        logical_time(given)
        return given
    try:
        instant = datetime.fromisoformat(given)
    except ValueError:
        raise UsageError(
            f"{given!r} is no instant; write 2026-11-21T00:30, 2026-11-21T00:30:00+01:00 or a snapshot's id"
        ) from None
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)


def written(instant: datetime) -> str:
    """`2026-11-21 00:30:05Z`; an instant without a zone gets no Z."""
    return instant.isoformat(sep=" ").replace("+00:00", "Z")


def ago(instant: datetime, now: datetime) -> str:
    """`4 minutes ago`, in the largest unit of which there are two."""
    seconds = int((now - instant).total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}s ago"
    return f"{max(seconds, 0)} seconds ago"
