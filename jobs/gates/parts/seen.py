"""Whether a snapshot is fit to be trusted: young enough, and nothing missing of what is asked."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from jobs.gates.parts.asked import Asked
from jobs.lake.authority import source_of
from jobs.lake.coverage import overlap
from jobs.wording import ago, counted, printable
from schemas.registry import tables
from schemas.table import Table

_GAPS_SHOWN = 5


def not_fit(asked: Asked, names: Sequence[str], max_age: timedelta, now: datetime) -> Iterator[str]:
    """Why nothing can be concluded: the oldest source is too old, or a source or a part of one was not seen."""
    yield from _age(asked, max_age, now)
    chosen = [tables()[name] for name in names]
    missing: dict[str, list[str]] = {}
    for table in chosen:
        if (source := source_of(table, asked.authority)) not in asked.sources:
            missing.setdefault(source, []).append(table.name)
    for source, of_source in missing.items():
        yield f"the snapshot holds nothing of {source}: {counted(len(of_source), 'table')} not seen ({', '.join(of_source)})"
    gaps = sorted({gap for table in chosen for gap in _gaps(asked, table)})
    yield from (f"1 gap: {gap}" for gap in gaps[:_GAPS_SHOWN])
    if more := len(gaps[_GAPS_SHOWN:]):
        yield f"{counted(more, 'more gap')}, listed in coverage_gaps of snapshot {asked.snapshot_id}"


def _age(asked: Asked, max_age: timedelta, now: datetime) -> Iterator[str]:
    source, oldest = min(asked.sources.items(), key=lambda each: each[1], default=("", now))
    if now - oldest > max_age:
        minutes, seconds = divmod(int(max_age.total_seconds()), 60)
        allowed = counted(seconds + 60 * minutes, "second") if seconds else counted(minutes, "minute")
        yield (
            f"the newest snapshot, {asked.snapshot_id}, is too old: {source} was read {ago(oldest, now)}, "
            f"and no more than {allowed} are allowed"
        )
    if oldest - now > timedelta(minutes=1):
        ahead = int((oldest - now).total_seconds())
        yield f"snapshot {asked.snapshot_id} is {ahead} seconds in the future: a clock is wrong"


def _gaps(asked: Asked, table: Table) -> Iterator[str]:
    """The gaps of the snapshot that may hide something of a table."""
    source = source_of(table, asked.authority)
    places = _places(table, source)
    (as_of,) = asked.reader.as_of
    for of_source, gap in as_of.gaps:
        if of_source == source and any(overlap(gap.scope, place) for place in places):
            yield printable(f"{source} {gap.scope} was not seen ({gap.reason}): {gap.message}")


def _places(table: Table, source: str) -> list[str]:
    """Where in a source the table's rows and values stand."""
    if source == "zookeeper" and table.subtrees:
        return list(table.subtrees)
    scopes = [table.scopes, *(column.scopes for column in table.columns)]
    return [of[source].split("{")[0] or "/" for of in scopes if source in of]
