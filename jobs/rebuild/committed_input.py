"""What a committed snapshot had to work with: its commit and its gaps tell it, long after what landed is gone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from jobs.lake.commits import Commit, SourceGap, gaps_in_row
from jobs.landing.manifest import Manifest
from jobs.landing.seal import Seal
from jobs.process.snapshot_input import SnapshotInput
from schemas.snapshots import Gap, SourceStatus


@dataclass(frozen=True)
class CommittedInput(SnapshotInput):
    """The input of a snapshot that is committed."""

    stands_for: datetime = field(kw_only=True)

    @cached_property
    def captured_at(self) -> datetime:
        """The time this snapshot stands for, as its commit says."""
        return self.stands_for

    @property
    def unseen_scopes(self) -> dict[str, set[str]]:
        """By the name of each source that it was to read, what it did not see there."""
        return {source: {gap.scope for gap in gaps} for source, gaps in self.gaps.items()}


def attempt_of(row: Mapping[str, Any]) -> str:
    """The attempt that a row of `snapshots` names."""
    return str(row["written_by"] or row["snapshot_id"])


def commit_of(row: Mapping[str, Any]) -> Commit:
    """A row of `snapshots`, in the table's stored columns."""
    sources = row["sources"]
    return Commit(
        snapshot_id=row["snapshot_id"],
        written_by=attempt_of(row),
        generation=row["generation"],
        committed_at=row["committed_at"],
        captured_at=row["captured_at"],
        status=row["status"],
        authority=row["authority"],
        varve_version=row["varve_version"],
        sources=[each["source"] for each in sources],
        failed=[each["source"] for each in sources if each["status"] == SourceStatus.FAILED],
        gaps=gaps_in_row(row["gaps"]),
    )


def committed_input(row: Mapping[str, Any], gaps: Iterable[SourceGap]) -> CommittedInput:
    """The input of the snapshot of that row of `snapshots`, whose gaps those are, each with its source."""
    of_source: dict[str, list[Gap]] = {}
    for source, gap in gaps:
        of_source.setdefault(source, []).append(gap)
    landed = [each for each in row["sources"] if each["captured_at"]]
    manifests = tuple(_manifest(row, each, of_source.get(each["source"], ())) for each in landed)
    missing = tuple(each["source"] for each in row["sources"] if not each["captured_at"])
    return CommittedInput(Seal(row["snapshot_id"], manifests, missing, ()), stands_for=row["captured_at"])


def _manifest(row: Mapping[str, Any], source: Mapping[str, Any], gaps: Sequence[Gap]) -> Manifest:
    """What is left of a source's manifest: how many rows each of its files had is not."""
    return Manifest(
        cluster=row["cluster"],
        source=source["source"],
        snapshot_id=row["snapshot_id"],
        status=SourceStatus(source["status"]),
        started_at=source["started_at"],
        captured_at=source["captured_at"],
        rows={source["source"]: source["rows"]},
        files={},
        gaps=tuple(gaps),
        varve_version=row["varve_version"],
        zxid=source["zxid"],
        unsettled=source["unsettled"],
    )
