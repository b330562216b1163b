"""What a gate is: it opens only when the newest snapshot shows that an act is safe. Unknown is not safe.

A module of `jobs/gates` holds one gate as `GATE`. Its `reasons` are sentences, each with a number and a subject, and why it
is not safe to act; none where it is safe.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from jobs import gates
from jobs.discovery import values
from jobs.gates.parts.asked import Asked
from jobs.gates.parts.seen import not_fit
from jobs.lake.read import NoSnapshotError, open_reader
from jobs.storage import Storage


@dataclass(frozen=True)
class Gate:
    """`rests_on` names the tables without which nothing is known; `takes_broker` says whether one broker can be asked for."""

    meaning: str
    rests_on: Callable[[Asked], tuple[str, ...]]
    reasons: Callable[[Asked], Iterator[str]]
    takes_broker: bool = False


@cache
def all_gates() -> dict[str, Gate]:
    """Every gate by its name. Raises ValueError when a module holds none."""
    return {name.replace("_", "-"): gate for name, gate in values(gates, "GATE", Gate).items()}


def reasons_against(
    gate: Gate, storage: Storage, cluster: str, broker: int | None, max_age: timedelta, now: datetime
) -> list[str]:
    """Why it is not safe now to do in a cluster what the gate is for; nothing where it is safe."""
    try:
        asked = Asked(open_reader(storage, [cluster]), broker)
    except NoSnapshotError as error:
        return [str(error)]
    return [*not_fit(asked, gate.rests_on(asked), max_age, now), *gate.reasons(asked)]
