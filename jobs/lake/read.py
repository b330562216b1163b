"""Reads the lake with DuckDB, without a JVM: SQL over what is committed, locked to the lake's own files."""

import difflib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from jobs.errors import UsageError
from jobs.lake import views
from jobs.lake.commits import AsOf, Commit, Sight, visible_commits
from jobs.lake.files import StoredFile, of_generation, stored_files
from jobs.lake.layout import table_path
from jobs.lake.sandbox import explain, lock, open_sandbox, refuse_writing
from jobs.landing.manifest import Gap
from schemas.registry import tables
from schemas.table import Kind, Table

_MISSING = re.compile(r"Table (?:Function )?with name (\S+) does not exist")
_ASKS_WHAT_THERE_IS = re.compile(r"\bshow\b|\binformation_schema\b|\bduckdb_\w+\b", re.IGNORECASE)


class NoSnapshotError(UsageError):
    """Nothing is committed yet, or nothing was by the instant that is asked for."""


class Answer(NamedTuple):
    """The rows of a query. Instants are aware datetimes in UTC, arrays lists, structs dicts."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Lake:
    """The committed state of some clusters, as of the moment it was opened."""

    def __init__(self, root: Path, sights: Sequence[Sight], without_snapshot: tuple[str, ...]) -> None:
        self._root = root
        self._sights = sights
        self._files: dict[tuple[str, str], list[StoredFile]] = {}
        self.without_snapshot = without_snapshot
        """Clusters that were asked for and of which nothing is committed yet."""

    @cached_property
    def as_of(self) -> list[AsOf]:
        """For each cluster the snapshot its tables stand at, and what that one did not see."""
        gaps = self._gaps
        return [
            AsOf(
                cluster=sight.cluster,
                snapshot_id=sight.newest.snapshot_id,
                captured_at=sight.newest.captured_at,
                status=sight.newest.status,
                gaps=tuple((source, gap) for cluster, source, gap in gaps if cluster == sight.cluster),
            )
            for sight in self._sights
        ]

    def query(self, sql: str) -> Answer:
        """The answer to one SELECT over the views. Raises UsageError when it is no SELECT or is wrong."""
        with open_sandbox() as connection:
            refuse_writing(connection, sql)
            self._create_views(connection, sql)
            lock(connection, [file.path for files in self._files.values() for file in files])
            try:
                cursor = connection.execute(sql)
                return Answer(tuple(column[0] for column in cursor.description), cursor.fetchall())
            except duckdb.Error as error:
                raise _explained(error) from error
            except RuntimeError as error:  # how DuckDB says that Ctrl-C was pressed
                raise KeyboardInterrupt from error

    def _create_views(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Create the views the query names; opening every table would take longer than the query."""
        self._create_bookkeeping(connection)
        words = set(re.findall(r"\w+", sql.lower()))
        wants_all = bool(_ASKS_WHAT_THERE_IS.search(sql))
        for table in tables().values():
            if wants_all or words & set(_view_names(table)):
                self._create_views_of(table, connection)

    def _create_views_of(self, table: Table, connection: duckdb.DuckDBPyConnection) -> None:
        seen = [(self._files_of(table.name, sight), sight) for sight in self._sights]
        current = views.union(
            views.now(table, files, sight, self._gap_scopes(sight)) for files, sight in seen
        )
        connection.execute(f"CREATE VIEW {table.name} AS {current}")
        if table.kind is Kind.STATE:
            past = views.union(views.history(table, files, sight) for files, sight in seen)
            connection.execute(f"CREATE VIEW {table.name}_history AS {past}")
            instant = views.union(views.at_instant(table, files, sight) for files, sight in seen)
            connection.execute(f"CREATE MACRO {table.name}_at(instant) AS TABLE {instant}")

    def _create_bookkeeping(self, connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("CREATE SCHEMA varve")
        commits = [(sight.cluster, each) for sight in self._sights for each in sight.commits]
        connection.execute(
            "CREATE TABLE varve.committed AS "
            "SELECT unnest($1) AS cluster, unnest($2) AS snapshot_id, unnest($3) AS captured_at",
            [
                [c for c, _ in commits],
                [e.snapshot_id for _, e in commits],
                [e.captured_at for _, e in commits],
            ],
        )
        connection.execute(
            "CREATE TABLE varve.gaps AS SELECT unnest($1::VARCHAR[]) AS cluster, "
            "unnest($2::VARCHAR[]) AS source, unnest($3::VARCHAR[]) AS scope",
            [
                [c for c, _, _ in self._gaps],
                [s for _, s, _ in self._gaps],
                [g.scope for _, _, g in self._gaps],
            ],
        )

    @cached_property
    def _gaps(self) -> list[tuple[str, str, Gap]]:
        """The coverage gaps of each cluster's newest visible snapshot."""
        table = tables()["coverage_gaps"]
        found: list[tuple[str, str, Gap]] = []
        for sight in self._sights:
            if sight.newest.status == "complete":
                continue
            select = views.rows(table, self._files_of(table.name, sight))
            with open_sandbox() as connection:
                cursor = connection.execute(
                    f"SELECT source, scope, reason, message FROM ({select}) WHERE snapshot_id = $1 ORDER BY ALL",
                    [sight.newest.snapshot_id],
                )
                found += [(sight.cluster, row[0], Gap(*row[1:])) for row in cursor.fetchall()]
        return found

    def _gap_scopes(self, sight: Sight) -> dict[str, set[str]]:
        """By source, where the gaps are."""
        found: dict[str, set[str]] = {}
        for cluster, source, gap in self._gaps:
            if cluster == sight.cluster:
                found.setdefault(source, set()).add(gap.scope)
        return found

    def _files_of(self, table: str, sight: Sight) -> list[StoredFile]:
        key = (sight.cluster, table)
        if key not in self._files:
            files = stored_files(table_path(self._root, sight.cluster, table))
            self._files[key] = of_generation(files, sight.newest.generation)
        return self._files[key]


def open_lake(lake: Path, clusters: Sequence[str], at: datetime | str | None = None) -> Lake:
    """What is committed of these clusters, now or at an instant or snapshot id.

    Raises NoSnapshotError when none of them has a snapshot by then.
    """
    sights = [Sight(cluster, visible_commits(_commits(lake, cluster), at)) for cluster in clusters]
    visible = [sight for sight in sights if sight.commits]
    without = tuple(sight.cluster for sight in sights if not sight.commits)
    if not visible:
        raise NoSnapshotError(_nothing_visible(lake, clusters, at))
    return Lake(lake, visible, without)


def committed_snapshot_ids(lake: Path, cluster: str) -> frozenset[str]:
    """The ids of every committed snapshot of a cluster."""
    return frozenset(commit.snapshot_id for commit in _commits(lake, cluster))


def _commits(lake: Path, cluster: str) -> list[Commit]:
    if not (files := stored_files(table_path(lake, cluster, "snapshots"))):
        return []
    with open_sandbox() as connection:
        cursor = connection.execute(
            "SELECT snapshot_id, generation, committed_at, captured_at, status, authority, "
            f"list_transform(sources, lambda each: each.source) FROM ({views.rows(tables()['snapshots'], files)})"
        )
        return [Commit(*row) for row in cursor.fetchall()]


def _view_names(table: Table) -> tuple[str, ...]:
    if table.kind is Kind.STATE:
        return table.name, f"{table.name}_history", f"{table.name}_at"
    return (table.name,)


def _nothing_visible(lake: Path, clusters: Sequence[str], at: datetime | str | None) -> str:
    who = ", ".join(clusters)
    first = min(
        (commit for cluster in clusters for commit in visible_commits(_commits(lake, cluster))),
        key=lambda commit: commit.captured_at,
        default=None,
    )
    if first is None:
        return f"{lake} has no snapshot of {who} yet: run varve snapshot"
    when = at if isinstance(at, str) else f"{at:%Y-%m-%d %H:%M:%SZ}"
    return (
        f"There is no snapshot of {who} at or before {when}; "
        f"the first, {first.snapshot_id}, was captured at {first.captured_at:%Y-%m-%d %H:%M:%SZ}"
    )


def _explained(error: duckdb.Error) -> UsageError:
    missing = _MISSING.search(str(error))
    if missing is None:
        return UsageError(explain(error))
    known = [each for table in tables().values() for each in _view_names(table)]
    near = difflib.get_close_matches(missing[1], known, n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(
        f'There is no table {missing[1]!r} in the lake: {hint}varve sql "SHOW TABLES" lists every one'
    )
