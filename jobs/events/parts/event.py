"""What an event is: a kind that is declared once, and the row of `events` that a change becomes.

A module of `jobs/events` explains the changes of one table. Its `EVENTS` is a SELECT in DuckDB's SQL, made by `events_of`;
the names behind FROM and JOIN are the frames it reads (see `jobs.process.frames`), `<table>_changes` among them. Beside it
stand the kinds of events it tells. Conditions and values are SQL over the columns of the changes: the key's, `op`, and the
structs `before` and `after`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from jobs import events
from jobs.discovery import modules


@dataclass(frozen=True)
class EventKind:
    """A kind of event: its name in `events.event`, and a sentence that says what happened.

    `from_value` and `to_value` say what these columns hold; where nothing is said, the column is null.
    """

    name: str
    meaning: str
    from_value: str = ""
    to_value: str = ""


def event_modules() -> list[ModuleType]:
    """Every module of `jobs/events`.

    Raises ValueError when one has no `EVENTS` or declares no kind, or when two kinds have one name.
    """
    found = list(modules(events))
    for module in found:
        if not hasattr(module, "EVENTS") or not kinds_of(module):
            raise ValueError(f"{module.__name__} tells no event: it needs EVENTS and an EventKind")
    names = [kind.name for module in found for kind in kinds_of(module)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"declared twice: {', '.join(twice)}")
    return found


def kinds_of(module: ModuleType) -> list[EventKind]:
    """The kinds of events that a module declares, in its order."""
    return [value for value in vars(module).values() if isinstance(value, EventKind)]


def happened(
    kind: EventKind,
    condition: str,
    before: str | None = None,
    after: str | None = None,
    reason: str | None = None,
) -> str:
    """A candidate event: null unless `condition` holds. `before` and `after` become from_value and to_value.

    Raises ValueError when the kind declares another choice of the two.
    """
    if (before is not None, after is not None) != (bool(kind.from_value), bool(kind.to_value)):
        raise ValueError(f"{kind.name} is told with other values than its kind declares")
    values = f"{{event: '{kind.name}', from_value: {_text(before)}, to_value: {_text(after)}, reason: {_text(reason)}}}"
    return f"CASE WHEN {condition} THEN {values} END"


def events_of(changes: str, subject: str, candidates: Sequence[str], touched: str) -> str:
    """One row for each candidate that happened; `touched` counts the partitions it concerns.

    `changes` is what stands behind FROM: `<table>_changes`, with what is joined to it.
    """
    happened = ",\n    ".join(candidates)
    return f"""
SELECT unnest(happened, recursive := true), subject, partitions_touched, since_snapshot_id, since_at FROM (
  SELECT {subject} AS subject, CAST({touched} AS INTEGER) AS partitions_touched, since_snapshot_id, since_at,
    unnest([
    {happened}
  ]) AS happened
  FROM {changes}
)
WHERE happened IS NOT NULL
"""


def was(name: str) -> str:
    """The column before the change; null where the row is new."""
    return f"before.{name}"


def is_now(name: str) -> str:
    """The column after the change; null where the row is gone."""
    return f"after.{name}"


def changed(name: str) -> str:
    """The row was there and stays, and this column of it changed."""
    return f"(op = 'update' AND {was(name)} IS DISTINCT FROM {is_now(name)})"


def listed(numbers: str) -> str:
    """A list as text, with commas between."""
    return f"array_to_string({numbers}, ',')"


CREATED = "op = 'create'"
"""The row is new."""
DELETED = "op = 'delete'"
"""The row is gone."""


def _text(value: str | None) -> str:
    return f"CAST({'NULL' if value is None else value} AS VARCHAR)"
