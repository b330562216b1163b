"""What one sealed snapshot has to work with: what each source landed, and what could not be seen."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from jobs.lake.coverage import is_unseen
from jobs.landing.manifest import Manifest, captured_at
from jobs.landing.seal import Seal
from schemas.snapshots import Gap, GapReason, SourceStatus
from schemas.table import Table

_NOT_COLLECTED = Gap(
    "/", GapReason.NOT_COLLECTED, "the source was not collected: see the log of its collect task"
)


@dataclass(frozen=True)
class SnapshotInput:
    """The input of one snapshot, as its seal names it."""

    seal: Seal
    dismissed: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By source, the places that the snapshot takes for gone though its source does not look there any more."""
    not_configured: Mapping[str, tuple[Gap, ...]] = field(default_factory=dict)
    """By source, the places that it does not look at any more; see `jobs.process.not_configured`."""

    @cached_property
    def manifests(self) -> Mapping[str, Manifest]:
        """What each source landed, by the source's name."""
        return {manifest.source: manifest for manifest in self.seal.manifests}

    @cached_property
    def captured_at(self) -> datetime:
        """The time this snapshot stands for; see `jobs.landing.manifest.captured_at`."""
        return captured_at(self.seal.manifests)

    @cached_property
    def gaps(self) -> Mapping[str, tuple[Gap, ...]]:
        """What could not be seen, by the source's name; a source that did not land was not seen at all."""
        landed = {
            name: manifest.gaps + self.not_configured.get(name, ())
            for name, manifest in self.manifests.items()
        }
        return landed | dict.fromkeys(self.seal.missing, (_NOT_COLLECTED,))

    @property
    def row_count(self) -> int:
        """How many rows landed, all sources and tables together."""
        return sum(sum(manifest.rows.values()) for manifest in self.seal.manifests)

    def is_read(self, source: str) -> bool:
        """Whether the source landed more than the reason why it could not be read."""
        return source in self.manifests and self.manifests[source].status is not SourceStatus.FAILED

    def captured(self, source: str) -> datetime:
        """When the source was read to its end; of one that did not land, the time of the snapshot."""
        return self.manifests[source].captured_at if source in self.manifests else self.captured_at

    def started(self, source: str) -> datetime:
        """When the source began to be read; of one that did not land, the time of the snapshot."""
        return self.manifests[source].started_at if source in self.manifests else self.captured_at

    def looked_at(self, source: str) -> Collection[str] | None:
        """The scopes that a source looked at, None where that is everything."""
        looked_at = self.manifests[source].looked_at
        return None if looked_at is None else [*looked_at, *self.dismissed.get(source, ())]

    def unseen(self, table: Table, source: str) -> str:
        """DuckDB's SQL: whether this snapshot did not see a row of the table, which follows that source."""
        scopes = {name: {gap.scope for gap in gaps} for name, gaps in self.gaps.items()}
        return is_unseen(table, source, scopes)
