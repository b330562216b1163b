"""A committed snapshot, and what an answer that shows it says of itself."""

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
