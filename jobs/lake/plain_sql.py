"""The views of a table as plain SQL for any engine that reads Delta: Spark, Trino, DuckDB's own Delta reader and others.

`jobs.lake.views` says the same for DuckDB over lists of files, which is quicker; a test compares the answers.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from jobs.errors import UsageError
from schemas.registry import tables
from schemas.snapshots import SNAPSHOTS
from schemas.table import Kind, Table

_ATTEMPT = "coalesce(written_by, snapshot_id)"


@dataclass(frozen=True)
class Engine:
    """How an engine writes names: `quote` stands around a column, and `{table}` in `reference` is a table of the lake."""

    quote: str
    reference: str

    def name(self, column: str) -> str:
        return f"{self.quote}{column}{self.quote}"

    def names(self, columns: Iterable[str]) -> str:
        return ", ".join(self.name(column) for column in columns)

    def rows(self, table: Table) -> str:
        """What stands behind FROM: a table's rows of the newest generation that is not newer than the current one."""
        stored, commits = (self.reference.format(table=each.name) for each in (table, SNAPSHOTS))
        newest = f"SELECT max(generation) FROM {stored} WHERE generation <= (SELECT max(generation) FROM {commits})"
        return f"(SELECT * FROM {stored} WHERE generation = ({newest})) AS stored"


ANSI = Engine('"', "{table}")
"""An engine in which the Delta tables of one cluster are registered under their own names."""


def view(name: str) -> str:
    """The SQL of a view by its name: `X`, `X_history`, or `X_at`, in which `:instant` stands for T.

    Raises UsageError when there is no such view.
    """
    for table in tables().values():
        if name == table.name:
            return now(table, ANSI)
        if table.kind is Kind.STATE and name == f"{table.name}_history":
            return history(table, ANSI)
        if table.kind is Kind.STATE and name == f"{table.name}_at":
            return at(table, ANSI, ":instant")
    raise UsageError(f'There is no view {name!r} of a table: varve sql "SHOW TABLES" lists every one')


def now(table: Table, engine: Engine) -> str:
    """The view `X`: a state as it stands, or every visible row of a series or log."""
    if table.kind is Kind.STATE:
        return _state(table, engine, f"SELECT max({_ATTEMPT}) FROM {engine.rows(SNAPSHOTS)}")
    more = "snapshot_id" if table.kind is Kind.LOG else "captured_at, snapshot_id"
    return (
        f"SELECT cluster, {engine.names(table.column_names)}, {more} FROM {engine.rows(table)} "
        f"WHERE {_is_committed(engine)}"
    )


def at(table: Table, engine: Engine, instant: str) -> str:
    """The view `X_at`: a state at the newest snapshot captured at or before an instant, which is SQL."""
    newest = f"SELECT max({_ATTEMPT}) FROM {engine.rows(SNAPSHOTS)} WHERE captured_at <= {instant}"
    return _state(table, engine, newest)


def history(table: Table, engine: Engine) -> str:
    """The view `X_history`: every value a key ever had, and from when to when."""
    oldest = f"SELECT min(era) FROM {engine.rows(table)} WHERE {_is_committed(engine, 'era')}"
    changes = (
        f"SELECT *, lead(changed_at) OVER (PARTITION BY {_key(table, engine)} ORDER BY written_by) AS valid_to "
        f"FROM {engine.rows(table)} WHERE {_is_committed(engine)} AND (op <> 'keyframe' OR era = ({oldest}))"
    )
    return (
        f"SELECT cluster, {engine.names(table.column_names)}, changed_at AS valid_from, valid_to, snapshot_id "
        f"FROM ({changes}) AS changes WHERE op <> 'delete'"
    )


def at_any(table: Table, engine: Engine, instant: str) -> str:
    """The same as `at` for an instant that differs from row to row, or that the engine takes at one place only.

    It reads the whole history, where `at` reads one era.
    """
    seen_from = f"SELECT {_ATTEMPT} AS attempt, captured_at AS seen_from FROM {engine.rows(SNAPSHOTS)}"
    oldest = f"SELECT min(era) FROM {engine.rows(table)} WHERE {_is_committed(engine, 'era')}"
    changes = (
        f"SELECT *, lead(seen_from) OVER (PARTITION BY {_key(table, engine)} ORDER BY written_by) AS seen_to "
        f"FROM (SELECT *, {_ATTEMPT} AS attempt FROM {engine.rows(table)}) AS rows JOIN ({seen_from}) AS commits USING (attempt) "
        f"WHERE op <> 'keyframe' OR era = ({oldest})"
    )
    return (
        f"SELECT cluster, {engine.names(table.column_names)}, changed_at, snapshot_id FROM ({changes}) AS changes "
        f"WHERE op <> 'delete' AND seen_from <= {instant} AND (seen_to IS NULL OR seen_to > {instant})"
    )


def _state(table: Table, engine: Engine, newest: str) -> str:
    """The state after an attempt, which is SQL, from the newest era that was open then."""
    era = f"SELECT max(era) FROM {engine.rows(table)} WHERE {_is_committed(engine, 'era')} AND era <= ({newest})"
    rows = (
        f"SELECT *, row_number() OVER (PARTITION BY {_key(table, engine)} ORDER BY written_by DESC) AS nth "
        f"FROM {engine.rows(table)} WHERE {_is_committed(engine)} AND written_by <= ({newest}) AND era = ({era})"
    )
    return (
        f"SELECT cluster, {engine.names(table.column_names)}, changed_at, snapshot_id "
        f"FROM ({rows}) AS ordered WHERE nth = 1 AND op <> 'delete'"
    )


def _is_committed(engine: Engine, attempt: str = _ATTEMPT) -> str:
    return f"{attempt} IN (SELECT {_ATTEMPT} FROM {engine.rows(SNAPSHOTS)})"


def _key(table: Table, engine: Engine) -> str:
    return engine.names(table.key) or "cluster"
