"""What an event is: a kind that is declared once, and the row of `events` that a change becomes.

A module of `jobs/events` explains the changes of one table. Its function `events` has parameters that name the frames
it reads (see `jobs.process.frames`), `<table>_changes` among them. Beside it stand the kinds of events it tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

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

    Raises ValueError when one has no function `events` or declares no kind, or when two kinds have one name.
    """
    found = list(modules(events))
    for module in found:
        if not hasattr(module, "events") or not kinds_of(module):
            raise ValueError(
                f"{module.__name__} tells no event: it needs a function `events` and an EventKind"
            )
    names = [kind.name for module in found for kind in kinds_of(module)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"declared twice: {', '.join(twice)}")
    return found


def kinds_of(module: ModuleType) -> list[EventKind]:
    """The kinds of events that a module declares, in its order."""
    return [value for value in vars(module).values() if isinstance(value, EventKind)]


def happened(
    kind: EventKind, condition: Column, before: Column | None = None, after: Column | None = None
) -> Column:
    """A candidate event: null unless `condition` holds. `before` and `after` become from_value and to_value.

    Raises ValueError when the kind declares another choice of the two.
    """
    if (before is not None, after is not None) != (bool(kind.from_value), bool(kind.to_value)):
        raise ValueError(f"{kind.name} is told with other values than its kind declares")
    values = F.struct(
        F.lit(kind.name).alias("event"),
        _text(before).alias("from_value"),
        _text(after).alias("to_value"),
    )
    return F.when(F.coalesce(condition, F.lit(False)), values)


def events_of(
    changes: DataFrame, subject: Column, candidates: Sequence[Column], touched: Column
) -> DataFrame:
    """One row for each candidate that happened. `touched` counts the partitions it concerns."""
    return (
        changes.withColumns({"subject": subject, "partitions_touched": touched.cast("int")})
        .withColumn("happened", F.explode(F.array_compact(F.array(*candidates))))
        .select("happened.*", "subject", "partitions_touched", "since_snapshot_id", "since_at")
    )


def was(name: str) -> Column:
    """The column before the change; null where the row is new."""
    return F.col(f"before.{name}")


def is_now(name: str) -> Column:
    """The column after the change; null where the row is gone."""
    return F.col(f"after.{name}")


def changed(name: str) -> Column:
    """The row was there and stays, and this column of it changed."""
    return (F.col("op") == "update") & ~was(name).eqNullSafe(is_now(name))


def created() -> Column:
    """The row is new."""
    return F.col("op") == "create"


def deleted() -> Column:
    """The row is gone."""
    return F.col("op") == "delete"


def _text(value: Column | None) -> Column:
    return (F.lit(None) if value is None else value).cast("string")
