"""The commit: one append to `snapshots` makes everything of the snapshot visible."""

from datetime import UTC, datetime

from jobs.lake.snapshot_id import logical_time
from jobs.landing.manifest import Manifest
from jobs.process.run import SnapshotRun
from jobs.process.version import code_version
from schemas.snapshots import COVERAGE_GAPS, SNAPSHOTS, SnapshotStatus, SourceStatus


def write_gaps(run: SnapshotRun) -> None:
    """Append what could not be seen; it becomes visible with the commit."""
    rows: list[tuple[object, ...]] = [
        (source, gap.scope, gap.reason, gap.message) for source, gaps in run.gaps.items() for gap in gaps
    ]
    if rows:
        run.lake.append_log(COVERAGE_GAPS, run.lake.frame(COVERAGE_GAPS, rows))


def commit(run: SnapshotRun) -> None:
    """Append the snapshot's row."""
    is_partial = any(run.gaps.values())
    sources = [_source(manifest) for manifest in run.seal.manifests]
    sources += [(name, SourceStatus.FAILED, None, None, 0, None, None, 1) for name in run.seal.missing]
    row = (
        datetime.now(UTC),
        logical_time(run.lake.snapshot_id),
        run.captured_at,
        SnapshotStatus.PARTIAL if is_partial else SnapshotStatus.COMPLETE,
        run.authority,
        sources,
        code_version(),
    )
    run.lake.append_log(SNAPSHOTS, run.lake.frame(SNAPSHOTS, [row]))


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
