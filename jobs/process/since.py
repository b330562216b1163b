"""Since when a change may be: an earlier snapshot has to have seen the place where the changed row stands."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import merge
from typing import NamedTuple

import pyarrow as pa

from jobs.lake.authority import source_of
from jobs.lake.commits import Commit
from jobs.lake.coverage import covers
from jobs.lake.state import changes_of, scopes_of
from jobs.lake.write import DeltaTables
from schemas.table import Column, Table

Place = tuple[str | None, ...]
"""Where something stands in each source that a table can follow; None where a row does not say."""


class Coverage(NamedTuple):
    """A snapshot that read the source a table followed then (by its number in a place), and the scopes it did not see."""

    commit: Commit
    source: int
    gaps: frozenset[str]


def since(delta: DeltaTables, table: Table, changes: pa.Table) -> list[Commit | None]:
    """For each change the newest snapshot that saw its row, in the source that the table followed then; None without one.

    Where a value changed that stands at a place of its own, no newer one than the newest that saw that place: the value
    before is from there.
    """
    if not delta.last:
        return [None] * changes.num_rows
    sources = tuple(table.scopes)
    rows: list[Place] = list(
        zip(*(scopes_of(delta.duckdb, changes, table, source) for source in sources), strict=True)
    )
    values = [_values(delta, changes, column, sources, rows) for column in table.columns if column.scopes]
    seen = last_seen(
        followed_by(delta, table), {*rows, *(place for places in values for place in places if place)}
    )
    return [
        min(_known(seen, places), key=lambda commit: commit.snapshot_id) if places[0] in seen else None
        for places in zip(rows, *values, strict=True)
    ]


def last_seen(coverages: Iterable[Coverage], places: Collection[Place]) -> dict[Place, Commit]:
    """For each place the first of the snapshots that saw it; a place that none saw is left out."""
    found: dict[Place, Commit] = {}
    missing = set(places)
    for commit, source, gaps in coverages:
        seen = {place for place in missing if not covers(gaps, place[source])}
        found |= dict.fromkeys(seen, commit)
        missing -= seen
        if not missing:
            break
    return found


def followed_by(delta: DeltaTables, table: Table) -> Iterator[Coverage]:
    """The earlier snapshots that read the source which the table followed then, the newest first."""
    sources = [_followed(delta, table, number) for number in range(len(table.scopes))]
    return merge(*sources, key=lambda coverage: coverage.commit.snapshot_id, reverse=True)


def was_seen_before(delta: DeltaTables, source: str, scope: str) -> bool:
    """Whether an earlier snapshot saw a place of a source."""
    return any(not covers(gaps, scope) for _, gaps in delta.sight.coverages(source))


def _followed(delta: DeltaTables, table: Table, number: int) -> Iterator[Coverage]:
    """The earlier snapshots in which the table followed its source of that number, and that read it."""
    source = tuple(table.scopes)[number]
    for commit, gaps in delta.sight.coverages(source):
        if source_of(table, commit.authority) == source:
            yield Coverage(commit, number, gaps)


def _values(
    delta: DeltaTables, changes: pa.Table, column: Column, sources: Sequence[str], rows: Sequence[Place]
) -> list[Place | None]:
    """Where the column's value stands in each changed row in which another was known before, else None."""
    return [
        tuple(column.scopes.get(source, scope) for source, scope in zip(sources, row, strict=True))
        if is_changed
        else None
        for row, is_changed in zip(rows, changes_of(delta.duckdb, changes, column.name), strict=True)
    ]


def _known(seen: dict[Place, Commit], places: Iterable[Place | None]) -> list[Commit]:
    return [seen[place] for place in places if place is not None and place in seen]
