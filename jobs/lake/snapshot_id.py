"""A snapshot's id: the logical time of its run, in a form that sorts by time."""

from datetime import UTC, datetime

from jobs.errors import UsageError

_FORM = "%Y%m%dT%H%M%SZ"


def snapshot_id_at(instant: datetime) -> str:
    """`20261121T003000Z` for that instant."""
    return instant.astimezone(UTC).strftime(_FORM)


def attempt_at(snapshot_id: str, number: int) -> str:
    """What an attempt at a snapshot stamps on its rows: the id itself for the first, `20261121T003000Z.2` for the next.

    Attempts at different snapshots sort as the snapshots do.
    """
    return snapshot_id if number == 1 else f"{snapshot_id}.{number}"


def snapshot_of(attempt: str) -> str:
    """The id of the snapshot that an attempt is one at."""
    return attempt.partition(".")[0]


def logical_time(snapshot_id: str) -> datetime:
    """The logical time an id was made from. Raises UsageError when it is no snapshot id."""
    try:
        return datetime.strptime(snapshot_id, _FORM).replace(tzinfo=UTC)
    except ValueError:
        raise UsageError(f"{snapshot_id!r} is no snapshot id; they look like 20261121T003000Z") from None
