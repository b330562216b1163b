"""The views that a query finds in its DuckDB: which names there are, and how they are created."""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

import duckdb

from jobs.errors import UsageError
from jobs.lake import views
from jobs.lake.duckdb_sql import union
from jobs.lake.files import StoredFile
from jobs.lake.sandbox import explain
from jobs.timelines.parts.timeline import Timeline, all_timelines
from schemas.registry import tables
from schemas.table import Kind, Table

_MISSING = re.compile(r"Table (?:Function )?with name (\S+) does not exist")
_ASKS_WHAT_THERE_IS = re.compile(r"\bshow\b|\binformation_schema\b|\bduckdb_\w+\b", re.IGNORECASE)


class Seen(NamedTuple):
    """A table of one cluster: the files that are seen, SQL that tells whether the newest snapshot saw a row, and those of the
    files that lie in eras in which the query asks for a state.
    """

    files: Sequence[StoredFile]
    cluster: str
    is_current: str
    asked_for: Sequence[StoredFile]


def views_named(sql: str) -> dict[str, Set[str]]:
    """By table, the views that a query may name; making every view of every table would take longer than the query."""
    return {name: named for name, views in all_views().items() if (named := _named(sql, views))}


def all_views() -> dict[str, Set[str]]:
    """By table, every view of it."""
    return {name: set(_view_names(table)) for name, table in tables().items()}


def view_statements(table: Table, seen: Sequence[Seen], names: Collection[str]) -> list[str]:
    """SQL that creates those views of a table that have these names, over every cluster that is visible.

    What they read is on this machine from then on.
    """
    x, x_history, x_at = (*_view_names(table), "", "")[:3]
    statements = []
    if x in names:
        current = union(views.now(table, each.files, each.cluster, each.is_current) for each in seen)
        statements.append(f"CREATE VIEW {x} AS {current}")
    if x_history in names:
        past = union(views.history(table, each.files, each.cluster) for each in seen)
        statements.append(f"CREATE VIEW {x_history} AS {past}")
    if x_at in names:
        instant = union(views.at_instant(table, each.asked_for, each.cluster) for each in seen)
        statements.append(f"CREATE MACRO {x_at}(instant) AS TABLE {instant}")
    return statements


def timelines_named(sql: str) -> dict[str, Timeline]:
    """The timelines that a query may name, by their names."""
    return {name: all_timelines()[name] for name in _named(sql, all_timelines().keys())}


def _named(sql: str, names: Set[str]) -> Set[str]:
    """Those of the names that a query may use: every one where it asks what there is."""
    return names if _ASKS_WHAT_THERE_IS.search(sql) else names & set(re.findall(r"\w+", sql.lower()))


def create_timelines(connection: duckdb.DuckDBPyConnection, named: Mapping[str, Timeline]) -> None:
    """Create the views of timelines; those of their inputs are there."""
    for name, timeline in named.items():
        connection.execute(f"CREATE VIEW {name} AS {timeline.sql}")


def view_names() -> list[str]:
    """Every view that a query may name."""
    return [*all_timelines(), *(name for table in tables().values() for name in _view_names(table))]


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
