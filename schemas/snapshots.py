"""The snapshots, whose appended row is the commit, and what each snapshot could not see."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.table import Column, Kind, Table


class SnapshotStatus(StrEnum):
    """Whether a snapshot saw everything it was to see."""

    COMPLETE = "complete"
    PARTIAL = "partial"


class SourceStatus(StrEnum):
    """Whether a source was read whole, in part, or not at all."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class GapReason(StrEnum):
    """Why something was not seen."""

    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    UNSETTLED = "unsettled"
    NOT_COLLECTED = "not-collected"
    NOT_CONFIGURED = "not-configured"


@dataclass(frozen=True)
class Gap:
    """A part of a source that was not seen: everything at or below `scope`."""

    scope: str
    reason: GapReason
    message: str


FEW_GAPS = 20
"""So many gaps stand in the row of their snapshot, too: every answer tells the newest ones, and reads that row anyhow."""

SNAPSHOTS = Table(
    name="snapshots",
    kind=Kind.LOG,
    meaning="committed snapshots; the row is the commit, and nothing of a snapshot is visible before it",
    key=(),
    columns=(
        Column("committed_at", "TIMESTAMP", "when the snapshot became visible", required=True),
        Column("logical_at", "TIMESTAMP", "the time the snapshot was asked for", required=True),
        Column("captured_at", "TIMESTAMP", "when its last source was read", required=True),
        Column(
            "status",
            "STRING",
            "complete, or partial when there are coverage gaps",
            required=True,
            one_of=tuple(SnapshotStatus),
        ),
        Column(
            "authority",
            "STRING",
            "the source the typed tables follow; empty when neither is configured",
            required=True,
            one_of=("zookeeper", "kafka", ""),
        ),
        Column(
            "sources",
            "ARRAY<STRUCT<source: STRING, status: STRING, started_at: TIMESTAMP, captured_at: TIMESTAMP, "
            "rows: BIGINT, zxid: BIGINT, unsettled: BIGINT, gaps: BIGINT>>",
            "what each source brought; unsettled counts znodes not proven to be as they were at zxid",
            required=True,
        ),
        Column(
            "varve_version",
            "STRING",
            "version of Varve that wrote the snapshot, and a digest of the code of its tables",
            required=True,
        ),
        Column(
            "gaps",
            "ARRAY<STRUCT<source: STRING, scope: STRING, reason: STRING, message: STRING>>",
            f"what it did not see, so that nobody reads coverage_gaps for it; null where that is more than {FEW_GAPS} "
            "places, and in rows of old releases",
        ),
    ),
)

COVERAGE_GAPS = Table(
    name="coverage_gaps",
    kind=Kind.LOG,
    meaning="what a snapshot could not read, and why; rows under a gap stay as they were",
    key=("source", "scope"),
    columns=(
        Column("source", "STRING", "source that could not be read", required=True),
        Column(
            "scope",
            "STRING",
            "where in the source: everything at or below this path was not seen",
            required=True,
        ),
        Column("reason", "STRING", "what kind of gap it is", required=True, one_of=tuple(GapReason)),
        Column("message", "STRING", "what happened, in a sentence", required=True),
    ),
)
