"""The commit: one append to `snapshots` makes everything of the snapshot visible."""

from datetime import UTC, datetime

import pyarrow as pa

from jobs.errors import SnapshotRefusedError
from jobs.lake.arrow import arrow_table
from jobs.lake.layout import abandoned_path
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time
from jobs.lake.write import DeltaTables
from jobs.landing.manifest import Manifest
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.version import code_version
from schemas.snapshots import COVERAGE_GAPS, FEW_GAPS, SNAPSHOTS, SnapshotStatus, SourceStatus


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
    """Append the snapshot's row.

    Raises SnapshotRefusedError when the cluster's lock was lost, and the snapshot was committed by another process or given up.
    """
    gaps = gap_rows(snapshot)
    sources = [_source(manifest) for manifest in snapshot.seal.manifests]
    sources += [(name, SourceStatus.FAILED, None, None, 0, None, None, 1) for name in snapshot.seal.missing]
    row = (
        datetime.now(UTC),
        logical_time(delta.snapshot_id),
        snapshot.captured_at,
        SnapshotStatus.PARTIAL if gaps.num_rows else SnapshotStatus.COMPLETE,
        authority,
        sources,
        code_version(),
        gaps.to_pylist() if gaps.num_rows <= FEW_GAPS else None,
    )
    rows = delta.frame(SNAPSHOTS, [row])
    if not delta.storage.locks_expire:
        delta.append_log(SNAPSHOTS, rows)
        return
    failure = None
    try:
        delta.append_once(SNAPSHOTS, rows)
    except Exception as error:  # of an append whose answer got lost nobody knows whether it was done
        failure = error
    _check_counts(delta, failure)


def _check_counts(delta: DeltaTables, failure: Exception | None) -> None:
    """Raises the append's failure, or SnapshotRefusedError, unless the snapshot is committed as this process wrote it."""
    committed = Sight(delta.storage, delta.cluster, delta.snapshot_id).commit(delta.snapshot_id)
    if committed and committed.written_by == delta.written_by:
        return
    is_given_up = delta.storage.exists(abandoned_path(delta.cluster, delta.snapshot_id))
    if failure and not committed and not is_given_up:
        raise failure
    what = f"committed by another process, as {committed.written_by}" if committed else "given up"
    raise SnapshotRefusedError(
        f"Snapshot {delta.snapshot_id} of {delta.cluster} was {what} meanwhile: "
        f"what this process wrote as {delta.written_by} is never seen"
    )


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
