"""The views that a query finds in its DuckDB: which names there are, and how they are created."""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import duckdb

from jobs.errors import UsageError
from jobs.lake import views
from jobs.lake.commits import Sight
from jobs.lake.duckdb_sql import union
from jobs.lake.files import StoredFile
from jobs.lake.sandbox import explain
from jobs.timelines.parts.timeline import Timeline, all_timelines
from schemas.registry import tables
from schemas.table import Kind, Table

_MISSING = re.compile(r"Table (?:Function )?with name (\S+) does not exist")
_ASKS_WHAT_THERE_IS = re.compile(r"\bshow\b|\binformation_schema\b|\bduckdb_\w+\b", re.IGNORECASE)


class Seen(NamedTuple):
    """A table of one cluster: its files, what of the cluster is visible, and by source the scopes of its gaps."""

    files: Sequence[StoredFile]
    sight: Sight
    gap_scopes: Mapping[str, Collection[str]]


def tables_named(sql: str) -> list[Table]:
    """The tables of which a query may name a view; opening every table would take longer than the query."""
    if _ASKS_WHAT_THERE_IS.search(sql):
        return list(tables().values())
    words = set(re.findall(r"\w+", sql.lower()))
    return [table for table in tables().values() if words & set(_view_names(table))]


def timelines_named(sql: str) -> dict[str, Timeline]:
    """The timelines that a query may name, by their names."""
    if _ASKS_WHAT_THERE_IS.search(sql):
        return all_timelines()
    words = set(re.findall(r"\w+", sql.lower()))
    return {name: timeline for name, timeline in all_timelines().items() if name in words}


def create_timelines(connection: duckdb.DuckDBPyConnection, named: Mapping[str, Timeline]) -> None:
    """Create the views of timelines; those of their inputs are there."""
    for name, timeline in named.items():
        connection.execute(f"CREATE VIEW {name} AS {timeline.sql}")


def view_names() -> list[str]:
    """Every view that a query may name."""
    return [*all_timelines(), *(name for table in tables().values() for name in _view_names(table))]


def create_views(connection: duckdb.DuckDBPyConnection, table: Table, seen: Sequence[Seen]) -> None:
    """Create the views of a table over every cluster that is visible."""
    current = union(views.now(table, *each) for each in seen)
    connection.execute(f"CREATE VIEW {table.name} AS {current}")
    if table.kind is Kind.STATE:
        past = union(views.history(table, each.files, each.sight) for each in seen)
        connection.execute(f"CREATE VIEW {table.name}_history AS {past}")
        instant = union(views.at_instant(table, each.files, each.sight) for each in seen)
        connection.execute(f"CREATE MACRO {table.name}_at(instant) AS TABLE {instant}")


def create_bookkeeping(connection: duckdb.DuckDBPyConnection, sights: Sequence[Sight]) -> None:
    """Create the table `varve.committed`, which the views read."""
    connection.execute("CREATE SCHEMA varve")
    commits = [(sight.cluster, commit) for sight in sights for commit in sight.commits]
    connection.execute(
        "CREATE TABLE varve.committed AS "
        "SELECT unnest($1) AS cluster, unnest($2) AS written_by, unnest($3) AS captured_at",
        [
            [cluster for cluster, _ in commits],
            [commit.written_by for _, commit in commits],
            [commit.captured_at for _, commit in commits],
        ],
    )


def explained(error: duckdb.Error) -> UsageError:
    """What is wrong with a query, in the words of the lake."""
    missing = _MISSING.search(str(error))
    if missing is None:
        return UsageError(explain(error))
    near = difflib.get_close_matches(missing[1], view_names(), n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(
        f'There is no table {missing[1]!r} in the lake: {hint}varve sql "SHOW TABLES" lists every one'
    )


def _view_names(table: Table) -> tuple[str, ...]:
    if table.kind is Kind.STATE:
        return table.name, f"{table.name}_history", f"{table.name}_at"
    return (table.name,)
