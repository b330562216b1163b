"""The commit: one append to `snapshots` makes everything of the snapshot visible."""

from datetime import UTC, datetime

import pyarrow as pa

from jobs.lake.arrow import arrow_table
from jobs.lake.snapshot_id import logical_time
from jobs.lake.write import DeltaTables
from jobs.landing.manifest import Manifest
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.version import code_version
from schemas.snapshots import COVERAGE_GAPS, SNAPSHOTS, SnapshotStatus, SourceStatus


def write_gaps(delta: DeltaTables, snapshot: SnapshotInput) -> None:
    """Append what could not be seen; it becomes visible with the commit."""
    rows = gap_rows(snapshot)
    if rows.num_rows:
        delta.append_log(COVERAGE_GAPS, delta.local(rows))


def gap_rows(snapshot: SnapshotInput) -> pa.Table:
    """What could not be seen, in the columns of COVERAGE_GAPS."""
    rows = [
        (source, gap.scope, gap.reason, gap.message) for source, gaps in snapshot.gaps.items() for gap in gaps
    ]
    return arrow_table(COVERAGE_GAPS.columns, rows)


def commit(delta: DeltaTables, snapshot: SnapshotInput, authority: str) -> None:
    """Append the snapshot's row."""
    is_partial = any(snapshot.gaps.values())
    sources = [_source(manifest) for manifest in snapshot.seal.manifests]
    sources += [(name, SourceStatus.FAILED, None, None, 0, None, None, 1) for name in snapshot.seal.missing]
    row = (
        datetime.now(UTC),
        logical_time(delta.snapshot_id),
        snapshot.captured_at,
        SnapshotStatus.PARTIAL if is_partial else SnapshotStatus.COMPLETE,
        authority,
        sources,
        code_version(),
    )
    delta.append_log(SNAPSHOTS, delta.frame(SNAPSHOTS, [row]))


def _source(manifest: Manifest) -> tuple[object, ...]:
    return (
        manifest.source,
        manifest.status,
        manifest.started_at,
        manifest.captured_at,
        sum(manifest.rows.values()),
        manifest.zxid,
        manifest.unsettled,
        len(manifest.gaps),
    )
