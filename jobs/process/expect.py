"""Great Expectations on the state after a snapshot; the results come after its commit, under the same id.

A mark beside the seal says that they are still to come, so that a process killed in between leaves them to the next.
"""

import logging
from collections.abc import Collection, Mapping

from pyspark.sql import DataFrame

from jobs.lake.authority import source_of
from jobs.lake.layout import EXPECTATIONS_DUE, expectations_due_path, seals_folder, snapshot_ids
from jobs.lake.write import ClusterLake, Commit
from jobs.process.run import SnapshotRun
from jobs.storage import Storage
from schemas.judgement import EXPECTATION_RESULTS
from schemas.registry import tables
from schemas.table import Kind, Table

log = logging.getLogger(__name__)


def mark_due(storage: Storage, cluster: str, snapshot_id: str) -> None:
    """Say, before the commit, that the expectations of a snapshot are to be run."""
    storage.create(expectations_due_path(cluster, snapshot_id), b"")


def write_expectation_results(run: SnapshotRun, storage: Storage) -> None:
    """Run every suite on the tables this snapshot has written or could have."""
    names = run.states.keys() | run.kept
    _write(run.lake, {table.name: run.now(table) for table in _states() if table.name in names})
    storage.delete(expectations_due_path(run.lake.cluster, run.lake.snapshot_id))


def overdue(storage: Storage, cluster: str, committed: Collection[str]) -> list[str]:
    """Committed snapshots whose expectations were to be run and were not, the oldest first."""
    marked = snapshot_ids(storage.list(seals_folder(cluster)), EXPECTATIONS_DUE)
    return sorted(marked & set(committed))


def catch_up(cluster_lake: ClusterLake, storage: Storage) -> None:
    """Run the suites of a committed snapshot on the state as it was after it."""
    snapshot_id = cluster_lake.snapshot_id
    commit = next(each for each in cluster_lake.commits if each.snapshot_id == snapshot_id)
    log.info("running the expectations of snapshot %s, which was stopped before them", snapshot_id)
    try:
        _write(cluster_lake, {t.name: cluster_lake.before(t) for t in _states() if _is_of(t, commit)})
    except Exception:  # whatever ails them, newer snapshots have to come into the lake
        log.exception("the expectations of snapshot %s could not be run", snapshot_id)
    storage.delete(expectations_due_path(cluster_lake.cluster, snapshot_id))


def _write(lake: ClusterLake, frames: Mapping[str, DataFrame]) -> None:
    from expectations.validate import validate

    if results := validate(frames):
        lake.append_log(EXPECTATION_RESULTS, lake.frame(EXPECTATION_RESULTS, results))


def _states() -> list[Table]:
    return [table for table in tables().values() if table.kind is Kind.STATE]


def _is_of(table: Table, commit: Commit) -> bool:
    """Whether the snapshot could have written the table."""
    return not table.scopes or source_of(table, commit.authority) in commit.gaps
