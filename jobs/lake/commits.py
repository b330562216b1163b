"""A committed snapshot, and what an answer that shows it says of itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from schemas.snapshots import Gap

SourceGap = tuple[str, Gap]
"""What was not seen, and of which source."""


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
    gaps: tuple[SourceGap, ...] | None
    """What it did not see, None where its row does not tell."""

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
    gaps: tuple[SourceGap, ...]


def source_gaps(rows: Iterable[Iterable[Any]]) -> tuple[SourceGap, ...]:
    """Gaps, in order, of rows with the columns of `coverage_gaps`: source, scope, reason and message."""
    return tuple((source, Gap(*gap)) for source, *gap in sorted(map(tuple, rows)))


def gaps_in_row(gaps: Iterable[Mapping[str, Any]] | None) -> tuple[SourceGap, ...] | None:
    """The gaps that a row of `snapshots` tells; None where it does not tell."""
    return None if gaps is None else source_gaps(gap.values() for gap in gaps)
