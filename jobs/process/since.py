"""Since when a change may be: an earlier snapshot has to have seen the place where the changed row stands."""

from collections.abc import Collection, Iterable, Iterator

from jobs.lake.commits import Commit
from jobs.lake.coverage import covers
from jobs.lake.write import DeltaTables

Coverage = tuple[Commit, frozenset[str]]
"""A snapshot that read a source, and the scopes it did not see there."""


def last_seen(coverages: Iterable[Coverage], scopes: Collection[str | None]) -> dict[str | None, Commit]:
    """For each scope the first of the snapshots that saw it; a scope that none saw is left out."""
    found: dict[str | None, Commit] = {}
    missing = set(scopes)
    for commit, gaps in coverages:
        seen = {scope for scope in missing if not covers(gaps, scope)}
        found |= dict.fromkeys(seen, commit)
        missing -= seen
        if not missing:
            break
    return found


def coverages(delta: DeltaTables, source: str) -> Iterator[Coverage]:
    """The earlier snapshots that read the source, the newest first; of those that lacked the same only the newest."""
    tried: set[frozenset[str]] = set()
    for commit in reversed(delta.commits):
        if commit.has_read(source) and (gaps := delta.unseen_by(commit, source)) not in tried:
            tried.add(gaps)
            yield commit, gaps


def was_seen_before(delta: DeltaTables, source: str, place: str) -> bool:
    """Whether an earlier snapshot saw a place of a source."""
    return any(not covers(gaps, place) for _, gaps in coverages(delta, source))
