"""A committed snapshot, and which of them a reader sees: those up to the one that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from schemas.snapshots import Gap


@dataclass(frozen=True)
class Commit:
    """One row of `snapshots`: what decides whether it is visible, and what the next snapshot builds on."""

    snapshot_id: str
    written_by: str
    """The attempt at it whose rows count."""
    generation: int
    committed_at: datetime
    captured_at: datetime
    status: str
    authority: str
    varve_version: str
    sources: Sequence[str]
    """The sources it was to read."""
    failed: Sequence[str]
    """Those of them that could not be read at all."""

    def has_read(self, source: str) -> bool:
        """Whether the snapshot read the source, at least in part."""
        return source in self.sources and source not in self.failed


@dataclass(frozen=True)
class AsOf:
    """What an answer is as of: a cluster's newest visible snapshot, and what that snapshot did not see."""

    cluster: str
    snapshot_id: str
    captured_at: datetime
    status: str
    gaps: tuple[tuple[str, Gap], ...]
    """Each gap with its source."""


@dataclass(frozen=True)
class Sight:
    """What a reader sees of one cluster: `commits`, the oldest first. The cluster's tables are shown as of the last one."""

    cluster: str
    commits: tuple[Commit, ...]

    @property
    def newest(self) -> Commit:
        return self.commits[-1]

    @property
    def attempts(self) -> frozenset[str]:
        """The attempts whose rows are seen."""
        return frozenset(commit.written_by for commit in self.commits)


def visible_commits(commits: Sequence[Commit], at: datetime | str | None = None) -> tuple[Commit, ...]:
    """The commits of the current generation up to `at`, oldest first.

    `at` is a snapshot id, or an instant, for which the newest snapshot counts that was captured by then. A rebuild of the
    past commits under a new generation: where a snapshot was committed in several, the newest that is current counts.
    """
    if not commits:
        return ()
    current = max(commits, key=lambda commit: commit.committed_at).generation
    by_id = {
        commit.snapshot_id: commit
        for commit in sorted(commits, key=lambda commit: commit.generation)
        if commit.generation <= current
    }
    if isinstance(at, datetime):
        at = max((id_ for id_, commit in by_id.items() if commit.captured_at <= at), default="")
    return tuple(by_id[id_] for id_ in sorted(by_id) if at is None or id_ <= at)
