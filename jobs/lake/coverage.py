"""What a snapshot saw: where rows stand, and which of them a coverage gap hides. Not seen is not deleted."""

from collections.abc import Callable, Collection, Mapping, Set
from string import Formatter
from typing import NamedTuple

from jobs.lake.duckdb_sql import name, text
from schemas.table import Table

_EVERYTHING = ("/",)


class Sql(NamedTuple):
    """How an engine writes a literal, a column's name, and the ancestor of a scope that has so many slashes."""

    text: Callable[[str], str]
    name: Callable[[str], str]
    ancestor: Callable[[str, int], str]


DUCKDB = Sql(
    text,
    name,
    lambda scope, slashes: f"array_to_string(string_split({scope}, '/')[:{slashes + 1}], '/')",
)


def gaps_over(table: Table, source: str, gaps: Mapping[str, Collection[str]]) -> Collection[str]:
    """The gaps that may hide rows of a table which are from `source`.

    `gaps` holds the scopes that a snapshot did not see, by each source it was to read. It saw nothing of another source.
    A row that does not say where it stands is in one of the table's subtrees, so a gap elsewhere does not hide it.
    """
    if not table.scopes:
        return ()
    if source not in table.scopes or source not in gaps:
        return _EVERYTHING
    if source != "zookeeper" or not table.subtrees:
        return gaps[source]
    return {gap for gap in gaps[source] if any(overlap(gap, subtree) for subtree in table.subtrees)}


def overlap(one: str, other: str) -> bool:
    """Whether one of two places is the other or below it."""
    one, other = (path.rstrip("/") + "/" for path in (one, other))
    return one.startswith(other) or other.startswith(one)


def covers(gaps: Set[str], scope: str | None) -> bool:
    """Whether one of the gaps is at the scope or above it; see `is_under`, which asks the same in SQL."""
    if scope is None:
        return bool(gaps)
    names = scope.split("/")
    return "/" in gaps or any("/".join(names[:depth]) in gaps for depth in range(2, len(names) + 1))


def is_unseen(table: Table, source: str, gaps: Mapping[str, Collection[str]], sql: Sql = DUCKDB) -> str:
    """SQL: whether a snapshot did not see a row of `state`, which is of this table; see `gaps_over`.

    It is `true` or `false` where no row differs from the others.
    """
    over = gaps_over(table, source, gaps)
    return is_under(scope_of(table, source, sql) if source in table.scopes else "NULL", over, sql)


def is_outside(table: Table, source: str, looked_at: Collection[str]) -> str:
    """DuckDB's SQL: whether a row of `state` stands at none of the places that were looked at, nor below one."""
    return f"NOT {is_under(scope_of(table, source), looked_at)}"


def is_under(scope: str, gaps: Collection[str], sql: Sql = DUCKDB) -> str:
    """SQL: whether what stands at a scope is at one of the gaps or below.

    A row's ancestors are looked up depth by depth, because comparing each row with each gap takes minutes where both
    are many. A row whose scope is null may stand anywhere and counts as hidden, if there is any gap.
    """
    if not gaps or "/" in gaps:
        return "true" if gaps else "false"
    depths: dict[int, list[str]] = {}
    for gap in sorted(gaps):
        depths.setdefault(gap.count("/"), []).append(sql.text(gap))
    found = [f"{sql.ancestor(scope, depth)} IN ({', '.join(at_depth)})" for depth, at_depth in depths.items()]
    return f"coalesce({' OR '.join(found)}, true)"


def scope_of(table: Table, source: str, sql: Sql = DUCKDB) -> str:
    """SQL: where a row of `state` stands in the namespace of `source`, from the table's template.

    The alias is there because a table may itself have a column called scope, as the gaps have.
    """
    parts: list[str] = []
    for literal, column, _, _ in Formatter().parse(table.scopes[source]):
        parts += [sql.text(literal)] + ([f"state.{sql.name(column)}"] if column else [])
    return f"({' || '.join(parts)})"
