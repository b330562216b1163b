"""What is committed of a cluster up to a snapshot. DuckDB reads it, and no more of it than is asked for.

A lake has tens of thousands of snapshots after a year: none of these questions brings more than a few rows to Python.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from typing import Any

import duckdb

from jobs.errors import VarveError
from jobs.lake import views
from jobs.lake.commits import Commit, SourceGap, gaps_in_row, source_gaps
from jobs.lake.duckdb_sql import names, text
from jobs.lake.files import StoredFile, of_generation, stored_files
from jobs.lake.sandbox import open_sandbox
from jobs.storage import Storage
from schemas.snapshots import COVERAGE_GAPS, SNAPSHOTS, SnapshotStatus, SourceStatus
from schemas.table import Kind, Table

Coverage = tuple[Commit, frozenset[str]]
"""A snapshot that read a source, and the scopes it did not see there."""

_FAILED = f"[each.source FOR each IN sources IF each.status = {text(SourceStatus.FAILED)}]"
_COMMIT = (
    f"snapshot_id, {views.ATTEMPT}, generation, committed_at, captured_at, status, authority, varve_version, "
    f"list_transform(sources, lambda each: each.source), {_FAILED}, gaps"
)


class Sight:
    """The committed snapshots of a cluster up to `at`: a snapshot id, or an instant by which the last was captured.

    A rebuild of the past commits under a new generation: where a snapshot was committed in several, the newest that is
    current counts. What is committed after the first question is not seen.
    """

    def __init__(
        self, storage: Storage, cluster: str, at: datetime | str | None = None, spill_to: str = ""
    ) -> None:
        self.cluster = cluster
        self._storage = storage
        self._at = at
        self._spill_to = spill_to
        self._coverage: dict[str, list[tuple[Any, ...]]] = {}

    @cached_property
    def last(self) -> Commit | None:
        """The newest of the snapshots, None where there is none. Raises VarveError when a newer Varve wrote it."""
        last = self._commit("TRUE ORDER BY snapshot_id DESC LIMIT 1")
        if last and _release(last.varve_version) > _release(version("varve")):
            raise VarveError(
                f"Snapshot {last.snapshot_id} of {self.cluster} was written by Varve {last.varve_version.partition('+')[0]}, "
                f"and this is {version('varve')}, which may not understand it: install that release here, too"
            )
        return last

    @property
    def newest(self) -> Commit:
        """The newest of the snapshots, of which there has to be one."""
        if self.last is None:
            raise LookupError(f"{self.cluster} has no snapshot")
        return self.last

    @property
    def first(self) -> Commit | None:
        """The oldest of the snapshots, None where there is none."""
        return self._commit("TRUE ORDER BY snapshot_id LIMIT 1")

    @property
    def first_of_all(self) -> tuple[datetime, str] | None:
        """When the first snapshot of the cluster was captured, and its id, also where it came after `at`; None where there is none."""
        first = self._rows(
            f"SELECT captured_at, snapshot_id FROM ({self._snapshots}) ORDER BY snapshot_id LIMIT 1"
        )
        return first[0] if first else None

    @cached_property
    def count(self) -> int:
        """How many snapshots there are."""
        return int(self._rows("SELECT count(*) FROM varve.committed")[0][0])

    def __contains__(self, snapshot_id: object) -> bool:
        return bool(self._rows("SELECT 1 FROM varve.committed WHERE snapshot_id = $1", snapshot_id))

    def commit(self, snapshot_id: str) -> Commit | None:
        """The snapshot of that id, None where it is not one of them."""
        return self._commit("snapshot_id = $1", snapshot_id)

    def files(self, table: Table) -> list[StoredFile]:
        """The files of a table in which rows lie that are seen: of its current generation, and of eras that count."""
        if not self.last:
            return []
        files = of_generation(stored_files(self._storage, self.cluster, table.name), self.last.generation)
        if table.kind is not Kind.STATE:
            return files
        kept = self.counting({file.era for file in files})
        return [file for file in files if file.era in kept]

    def counting(self, attempts: Iterable[str]) -> set[str]:
        """Those of some attempts whose rows are seen."""
        counts = "SELECT written_by FROM varve.committed WHERE list_contains($1, written_by)"
        return {attempt for (attempt,) in self._rows(counts, sorted(attempts))}

    def open_at(self, files: Sequence[StoredFile], instants: Iterable[datetime]) -> list[StoredFile]:
        """Those of a state table's files that lie in the eras which were open at these instants."""
        last = "SELECT max(written_by) FROM varve.committed WHERE captured_at <= $1"
        attempts = [attempt for instant in instants for (attempt,) in self._rows(last, instant) if attempt]
        eras = {max((file.era for file in files if file.era <= attempt), default="") for attempt in attempts}
        return [file for file in files if file.era in eras]

    @property
    def committed(self) -> str:
        """SQL: the columns `cluster`, `written_by` and `captured_at` of every attempt whose rows are seen."""
        return f"SELECT {text(self.cluster)} AS cluster, written_by, captured_at FROM ({self._visible})"

    @cached_property
    def newest_gaps(self) -> tuple[SourceGap, ...]:
        """What the newest of the snapshots did not see, each gap with its source."""
        return self.gaps(self.newest)

    @property
    def unseen(self) -> dict[str, set[str]]:
        """The scopes that the newest of the snapshots did not see, by each source it was to read."""
        scopes: dict[str, set[str]] = {source: set() for source in self.newest.sources}
        for source, gap in self.newest_gaps:
            scopes.setdefault(source, set()).add(gap.scope)
        return scopes

    def gaps(self, commit: Commit) -> tuple[SourceGap, ...]:
        """What a snapshot did not see, each gap with its source."""
        if commit.status == SnapshotStatus.COMPLETE:
            return ()
        if commit.gaps is not None:
            return commit.gaps
        files = [file for file in self._gap_files if file.may_hold(commit.written_by)]
        of_commit = f"FROM ({views.rows(COVERAGE_GAPS, files)}) WHERE {views.ATTEMPT} = $1"
        return source_gaps(
            self._rows(f"SELECT {names(COVERAGE_GAPS.column_names)} {of_commit}", commit.written_by)
        )

    def coverages(self, source: str) -> Iterator[Coverage]:
        """The snapshots that read a source, the newest first; of those that followed and lacked the same only the newest."""
        if self.last and self.last.has_read(source):
            yield self.last, frozenset(gap.scope for of, gap in self.gaps(self.last) if of == source)
        if self.last and source not in self._coverage:
            self._coverage[source] = self._rows(self._coverages, source)
        for snapshot_id, scopes in self._coverage.get(source, ()):
            if snapshot_id != self.newest.snapshot_id and (commit := self.commit(snapshot_id)):
                yield commit, frozenset(scopes)

    @property
    def _coverages(self) -> str:
        read = (
            f"SELECT seen.snapshot_id, seen.written_by, stored.authority "
            f"FROM (SELECT *, {views.ATTEMPT} AS attempt FROM ({self._snapshots})) AS stored JOIN varve.committed AS seen "
            "ON stored.attempt = seen.written_by AND stored.generation = seen.generation "
            f"WHERE list_contains(list_transform(sources, lambda each: each.source), $1) "
            f"AND NOT list_contains({_FAILED}, $1)"
        )
        gaps = (
            f"SELECT {views.ATTEMPT} AS written_by, list(DISTINCT scope ORDER BY scope) AS scopes "
            f"FROM ({views.rows(COVERAGE_GAPS, self._gap_files)}) WHERE source = $1 GROUP BY ALL"
        )
        return (
            f"SELECT max(snapshot_id), coalesce(scopes, []) AS lacked FROM ({read}) LEFT JOIN ({gaps}) USING (written_by) "
            "GROUP BY authority, lacked ORDER BY ALL DESC"
        )

    def _commit(self, condition: str, *values: object) -> Commit | None:
        found = self._rows(
            f"SELECT snapshot_id, written_by, generation FROM varve.committed WHERE {condition}", *values
        )
        if not found:
            return None
        snapshot_id, written_by, generation = found[0]
        files = [file for file in self._snapshot_files if file.may_hold(written_by)]
        ((*row, gaps),) = self._rows(
            f"SELECT {_COMMIT} FROM ({views.rows(SNAPSHOTS, files)}) "
            f"WHERE snapshot_id = $1 AND {views.ATTEMPT} = $2 AND generation = $3",
            snapshot_id,
            written_by,
            generation,
        )
        return Commit(*[*row, gaps_in_row(gaps)])

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            return cursor.execute(sql, list(values)).fetchall()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB with the table `varve.committed`: the snapshots that are seen."""
        connection = open_sandbox(self._spill_to)
        views.create_bookkeeping(
            connection, [f"SELECT {text(self.cluster)} AS cluster, * FROM ({self._visible})"]
        )
        return connection

    @cached_property
    def _visible(self) -> str:
        up_to = self._up_to()
        visible = (
            f"SELECT snapshot_id, {views.ATTEMPT} AS written_by, generation, captured_at FROM ({self._snapshots}) "
            f"WHERE {f'snapshot_id <= {text(up_to)}' if up_to is not None else 'true'}"
        )
        newest = "row_number() OVER (PARTITION BY snapshot_id ORDER BY generation DESC) = 1"
        return f"{visible} QUALIFY {newest}" if self._was_rebuilt else visible

    def _up_to(self) -> str | None:
        if not isinstance(self._at, datetime):
            return self._at
        with open_sandbox() as connection:
            newest = f"SELECT max(snapshot_id) FROM ({self._snapshots}) WHERE captured_at <= $1"
            ((snapshot_id,),) = connection.execute(newest, [self._at]).fetchall()
        return snapshot_id or ""

    @cached_property
    def _snapshots(self) -> str:
        """The rows of `snapshots` up to the generation of the newest commit."""
        rows = views.rows(SNAPSHOTS, self._snapshot_files)
        if not self._was_rebuilt:
            return rows
        return f"SELECT * FROM ({rows}) WHERE generation <= (SELECT arg_max(generation, committed_at) FROM ({rows}))"

    @property
    def _was_rebuilt(self) -> bool:
        return len({file.generation for file in self._snapshot_files}) > 1

    @cached_property
    def _snapshot_files(self) -> list[StoredFile]:
        return stored_files(self._storage, self.cluster, SNAPSHOTS.name)

    @cached_property
    def _gap_files(self) -> list[StoredFile]:
        return of_generation(
            stored_files(self._storage, self.cluster, COVERAGE_GAPS.name), self.newest.generation
        )


def _release(varve_version: str) -> tuple[int, ...]:
    """The numbers of a version that change when the tables do: those before the last."""
    return tuple(int(number) for number in re.findall(r"\d+", varve_version.partition("+")[0])[:2])
