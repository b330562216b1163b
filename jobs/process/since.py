"""Since when a change may be: an earlier snapshot has to have seen the place where the changed row stands."""

from collections.abc import Collection, Iterable

from jobs.lake.commits import Commit
from jobs.lake.coverage import covers
from jobs.lake.sight import Coverage


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
