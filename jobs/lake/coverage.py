"""What a snapshot saw: where rows stand, and which of them a coverage gap hides. Not seen is not deleted.

The rule is here once, for both engines. Spark's columns are made of it here, and DuckDB's SQL in `jobs.lake.views`. Only
the functions that make Spark's columns import PySpark, because readers run without it.
"""

from collections.abc import Collection, Iterable, Mapping
from string import Formatter
from typing import TYPE_CHECKING

from schemas.table import Table

if TYPE_CHECKING:
    from pyspark.sql import Column

_EVERYTHING = ("/",)


def gaps_over(table: Table, source: str, gaps: Mapping[str, Collection[str]]) -> Collection[str]:
    """The gaps that may hide rows of a table which are from `source`.

    `gaps` holds the scopes that a snapshot did not see, by each source it was to read. It saw nothing of another source.
    """
    if not table.scopes:
        return ()
    if source not in table.scopes or source not in gaps:
        return _EVERYTHING
    return gaps[source]


def hidden(gaps: Collection[str]) -> bool | dict[int, list[str]]:
    """What gaps hide: nothing, everything, or what stands at one of them or below.

    In the last case the gaps, by their depth: an engine looks up a row's ancestors depth by depth, because comparing
    each row with each gap takes minutes where both are many. A row whose scope is null may stand anywhere and counts as
    hidden.
    """
    if not gaps or "/" in gaps:
        return bool(gaps)
    depths: dict[int, list[str]] = {}
    for gap in sorted(gaps):
        depths.setdefault(gap.count("/"), []).append(gap)
    return depths


def covers(gaps: Iterable[str], scope: str) -> bool:
    """Whether one of the gaps is at the scope or above it."""
    return any(f"{scope}/".startswith(f"{gap.rstrip('/')}/") for gap in gaps)


def scope_parts(template: str) -> list[tuple[str, str | None]]:
    """A scope of `schemas/`, `/brokers/topics/{topic}`, as pairs of a text and the column after it."""
    return [(literal, column) for literal, column, _, _ in Formatter().parse(template)]


def scope_of(table: Table, source: str) -> "Column":
    """Where a row of `table` stands in the namespace of `source`, from the table's template."""
    from pyspark.sql import functions as F

    parts = []
    for literal, column in scope_parts(table.scopes[source]):
        parts += [F.lit(literal)] + ([F.col(column).cast("string")] if column else [])
    return F.concat(*parts)


def is_under(scope: "Column", gaps: Collection[str]) -> "Column":
    """Whether a gap hides what stands at a scope; see `hidden`."""
    from pyspark.sql import functions as F

    depths = hidden(gaps)
    if isinstance(depths, bool):
        return F.lit(depths)
    found = F.lit(False)
    for depth, at_depth in depths.items():
        found = found | F.substring_index(scope, "/", depth + 1).isin(at_depth)
    return F.coalesce(found, F.lit(True))


def is_unseen(table: Table, source: str, gaps: Mapping[str, Collection[str]]) -> "Column":
    """Whether a snapshot did not see a row of `table`, over the table's columns; see `gaps_over`."""
    from pyspark.sql import functions as F

    over = gaps_over(table, source, gaps)
    is_all_the_same = hidden(over)
    if isinstance(is_all_the_same, bool):
        return F.lit(is_all_the_same)
    return is_under(scope_of(table, source), over)
