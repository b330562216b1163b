"""What is committed of a cluster, read with DuckDB from `snapshots` and `coverage_gaps`."""

from typing import Any

from jobs.lake import views
from jobs.lake.commits import Commit
from jobs.lake.duckdb_sql import text
from jobs.lake.files import stored_files
from jobs.lake.sandbox import open_sandbox
from jobs.storage import Storage
from schemas.snapshots import COVERAGE_GAPS, SNAPSHOTS, SourceStatus
from schemas.table import Table

_COMMIT = (
    "snapshot_id, coalesce(written_by, snapshot_id), generation, committed_at, captured_at, status, authority, varve_version, "
    "list_transform(sources, lambda each: each.source), "
    f"[each.source FOR each IN sources IF each.status = {text(SourceStatus.FAILED)}]"
)


def read_commits(storage: Storage, cluster: str) -> list[Commit]:
    """The committed snapshots of a cluster, the oldest first. A rebuilt one is there once for each generation."""
    return [Commit(*row) for row in _select(storage, cluster, SNAPSHOTS, _COMMIT)]


def committed_snapshot_ids(storage: Storage, cluster: str) -> frozenset[str]:
    """The ids of every committed snapshot of a cluster."""
    return frozenset(snapshot_id for (snapshot_id,) in _select(storage, cluster, SNAPSHOTS, "snapshot_id"))


def read_gap_scopes(storage: Storage, cluster: str) -> dict[tuple[str, str], frozenset[str]]:
    """The scopes that were not seen, by snapshot id and source. A source that was seen whole has no entry."""
    scopes: dict[tuple[str, str], set[str]] = {}
    for snapshot_id, source, scope in _select(storage, cluster, COVERAGE_GAPS, "snapshot_id, source, scope"):
        scopes.setdefault((snapshot_id, source), set()).add(scope)
    return {key: frozenset(found) for key, found in scopes.items()}


def _select(storage: Storage, cluster: str, table: Table, columns: str) -> list[tuple[Any, ...]]:
    if not (files := stored_files(storage, cluster, table.name)):
        return []
    with open_sandbox() as connection:
        rows = views.rows(table, files)
        return connection.execute(
            f"SELECT {columns} FROM ({rows}) ORDER BY snapshot_id, generation"
        ).fetchall()
