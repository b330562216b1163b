"""The views that a query finds in its DuckDB: which names there are, and how they are created."""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import duckdb

from jobs.errors import UsageError
from jobs.lake import views
from jobs.lake.duckdb_sql import union
from jobs.lake.files import StoredFile
from jobs.lake.sandbox import explain
from schemas.registry import tables
from schemas.table import Kind, Table

_MISSING = re.compile(r"Table (?:Function )?with name (\S+) does not exist")
_ASKS_WHAT_THERE_IS = re.compile(r"\bshow\b|\binformation_schema\b|\bduckdb_\w+\b", re.IGNORECASE)


class Seen(NamedTuple):
    """A table of one cluster: the files that are seen, and SQL that tells whether the newest snapshot saw a row."""

    files: Sequence[StoredFile]
    cluster: str
    is_current: str


def views_named(sql: str) -> dict[str, set[str]]:
    """By table, the views that a query may name; making every view of every table would take longer than the query."""
    every = {name: set(_view_names(table)) for name, table in tables().items()}
    if _ASKS_WHAT_THERE_IS.search(sql):
        return every
    words = set(re.findall(r"\w+", sql.lower()))
    return {name: named for name, views in every.items() if (named := words & views)}


def create_views(
    connection: duckdb.DuckDBPyConnection, table: Table, seen: Sequence[Seen], names: Collection[str]
) -> None:
    """Create those views of a table that have these names, over every cluster that is visible."""
    x, x_history, x_at = (*_view_names(table), "", "")[:3]
    if x in names:
        current = union(views.now(table, *each) for each in seen)
        connection.execute(f"CREATE VIEW {x} AS {current}")
    if x_history in names:
        past = union(views.history(table, each.files, each.cluster) for each in seen)
        connection.execute(f"CREATE VIEW {x_history} AS {past}")
    if x_at in names:
        instant = union(views.at_instant(table, each.files, each.cluster) for each in seen)
        connection.execute(f"CREATE MACRO {x_at}(instant) AS TABLE {instant}")


def create_bookkeeping(connection: duckdb.DuckDBPyConnection, committed: Iterable[str]) -> None:
    """Create the table `varve.committed`, which the views read; see `Sight.committed`."""
    connection.execute("CREATE SCHEMA varve")
    connection.execute(f"CREATE TABLE varve.committed AS {union(committed)}")


def explained(error: duckdb.Error) -> UsageError:
    """What is wrong with a query, in the words of the lake."""
    missing = _MISSING.search(str(error))
    if missing is None:
        return UsageError(explain(error))
    known = [name for table in tables().values() for name in _view_names(table)]
    near = difflib.get_close_matches(missing[1], known, n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(
        f'There is no table {missing[1]!r} in the lake: {hint}varve sql "SHOW TABLES" lists every one'
    )


def _view_names(table: Table) -> tuple[str, ...]:
    if table.kind is Kind.STATE:
        return table.name, f"{table.name}_history", f"{table.name}_at"
    return (table.name,)
