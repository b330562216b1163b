"""Reads the lake with DuckDB, without a JVM: SQL over what is committed, locked to the lake's own files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from jobs.errors import UsageError
from jobs.lake.authority import source_of
from jobs.lake.catalog import (
    Seen,
    create_timelines,
    explained,
    timelines_named,
    view_statements,
    views_named,
)
from jobs.lake.commits import AsOf
from jobs.lake.coverage import is_unseen
from jobs.lake.files import StoredFile
from jobs.lake.instants import instants_asked
from jobs.lake.sandbox import lock, open_sandbox, refuse_writing
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import snapshot_of
from jobs.lake.views import create_bookkeeping
from jobs.side_by_side import side_by_side
from jobs.storage import Storage
from schemas.registry import tables
from schemas.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 2_000
"""How many rows of an answer are in memory at a time, where it need not be there whole."""


class NoSnapshotError(UsageError):
    """Nothing is committed yet, or nothing was by the instant that is asked for."""


class Answer(NamedTuple):
    """The rows of a query. Instants are aware datetimes in UTC, arrays lists, structs dicts."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Rows(NamedTuple):
    """The rows of a query as they are computed, in parts; values are those of `Answer`."""

    columns: tuple[str, ...]
    parts: Iterator[list[tuple[Any, ...]]]


class LakeReader:
    """The committed state of some clusters, as of the moment the reader was opened."""

    def __init__(
        self, sights: Sequence[Sight], without_snapshot: tuple[str, ...], history_from: str = ""
    ) -> None:
        self._history_from = history_from
        self._sights = sights
        self._files: dict[tuple[str, str], list[StoredFile]] = {}
        self.without_snapshot = without_snapshot
        """Clusters that were asked for and of which nothing is committed yet."""

    @cached_property
    def as_of(self) -> list[AsOf]:
        """For each cluster the snapshot that its tables are shown as of, and what that snapshot did not see."""
        return [
            AsOf(
                cluster=sight.cluster,
                snapshot_id=sight.newest.snapshot_id,
                captured_at=sight.newest.captured_at,
                status=sight.newest.status,
                gaps=sight.newest_gaps,
            )
            for sight in self._sights
        ]

    def with_history_from(self, snapshot_id: str) -> "LakeReader":
        """The same, but `X_history` begins no later than at that snapshot: older eras are not read."""
        return LakeReader(self._sights, self.without_snapshot, snapshot_id)

    def query(self, sql: str) -> Answer:
        """The answer to one SELECT over the views. Raises UsageError when it is no SELECT or is wrong."""
        with self.rows(sql) as (columns, parts):
            return Answer(columns, [row for part in parts for row in part])

    @contextmanager
    def rows(self, sql: str) -> Iterator[Rows]:
        """The answer as it is computed, some rows at a time, so that it need not fit into memory. Raises as `query` does."""
        with self._connected(sql) as connection:
            cursor = connection.execute(sql)
            columns = tuple(column[0] for column in cursor.description)
            yield Rows(columns, iter(partial(cursor.fetchmany, ROWS_AT_ONCE), []))

    @contextmanager
    def batches(self, sql: str) -> Iterator["pa.RecordBatchReader"]:
        """The answer as Arrow, some rows at a time. Raises as `query` does."""
        with self._connected(sql) as connection:
            try:
                yield connection.sql(sql).to_arrow_reader(ROWS_AT_ONCE)
            except OSError as error:
                if (
                    error.errno is not None
                ):  # else that is how Arrow passes on what DuckDB says while it computes
                    raise
                raise duckdb.Error(str(error)) from error

    def look_up(self, views: Sequence[str]) -> None:
        """Find side by side what several views read, so that queries which name them need not wait one after the other."""
        self._statements("", views)

    @contextmanager
    def _connected(self, sql: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A locked DuckDB with every view that the query names."""
        with open_sandbox() as connection:
            refuse_writing(connection, sql)
            create_bookkeeping(connection, [sight.committed for sight in self._sights])
            self._create_views(connection, sql)
            lock(connection, [file.here for files in [*self._files.values()] for file in files])
            try:
                yield connection
            except duckdb.Error as error:
                raise explained(error) from error
            except RuntimeError as error:
                if str(error) != "Query interrupted":  # how DuckDB says that Ctrl-C was pressed
                    raise
                raise KeyboardInterrupt from error

    def _create_views(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Create the views that a query names, and what they are made of."""
        timelines = timelines_named(sql)
        inputs = [name for timeline in timelines.values() for name in timeline.inputs]
        for statement in self._statements(sql, inputs):
            connection.execute(statement)
        create_timelines(connection, timelines)

    def _statements(self, sql: str, inputs: Sequence[str]) -> list[str]:
        """What creates the views that a query and its inputs name. Where each lies is found side by side."""
        named = views_named(" ".join([sql, *inputs]))
        instants = instants_asked(sql, [view for views in named.values() for view in views])

        def create(name: str) -> list[str]:
            seen = self._seen(tables()[name], instants.get(f"{name}_at"))
            return view_statements(tables()[name], seen, named[name])

        return [statement for statements in side_by_side(create, named) for statement in statements]

    def _seen(self, table: Table, instants: Sequence[datetime] | None) -> list[Seen]:
        """A table in every cluster. The query asks for its state at these instants, where they are known."""
        return [
            Seen(files, sight.cluster, _is_current(table, sight), asked_for)
            for sight in self._sights
            for files in [self._files_of(table, sight)]
            for asked_for in [files if instants is None else sight.open_at(files, instants)]
        ]

    def _files_of(self, table: Table, sight: Sight) -> list[StoredFile]:
        key = (sight.cluster, table.name)
        if key not in self._files:
            files = sight.files(table)
            open_then = max((e.era for e in files if snapshot_of(e.era) <= self._history_from), default="")
            self._files[key] = [file for file in files if file.era >= open_then]
        return self._files[key]


def open_reader(storage: Storage, clusters: Sequence[str], at: datetime | str | None = None) -> LakeReader:
    """What is committed of these clusters, now or at an instant or snapshot id.

    Raises NoSnapshotError when none of them has a snapshot by then.
    """
    return LakeReader(*visible(storage, clusters, at))


def visible(
    storage: Storage, clusters: Sequence[str], at: datetime | str | None
) -> tuple[list[Sight], tuple[str, ...]]:
    """What is seen of those of the clusters that have a snapshot by then, and the others. Raises as `open_reader` does."""
    settled = storage.settled()
    sights = [Sight(settled, cluster, at) for cluster in clusters]
    has_snapshot = side_by_side(_has_snapshot, sights)
    if any(has_snapshot):
        seen = [sight for sight, has in zip(sights, has_snapshot, strict=True) if has]
        return seen, tuple(sight.cluster for sight in sights if sight not in seen)
    raise NoSnapshotError(_nothing_visible(storage, sights, at))


def _has_snapshot(sight: Sight) -> bool:
    """Whether it shows a snapshot; what that did not see is known from then on, too."""
    return bool(sight.last and [sight.newest_gaps])


def _is_current(table: Table, sight: Sight) -> str:
    return f"NOT {is_unseen(table, source_of(table, sight.newest.authority), sight.unseen)}"


def _nothing_visible(storage: Storage, sights: Sequence[Sight], at: datetime | str | None) -> str:
    who = ", ".join(sight.cluster for sight in sights)
    found = [first for sight in sights if (first := sight.first_of_all)]
    if not found:
        return f"{storage.location('')} has no snapshot of {who} yet: run varve snapshot"
    captured_at, snapshot_id = min(found)
    when = at if isinstance(at, str) else f"{at:%Y-%m-%d %H:%M:%SZ}"
    return (
        f"There is no snapshot of {who} at or before {when}; "
        f"the first, {snapshot_id}, was captured at {captured_at:%Y-%m-%d %H:%M:%SZ}"
    )
