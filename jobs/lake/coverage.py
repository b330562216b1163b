"""What a snapshot saw: scopes of rows, and the gaps that cover them. Not seen is not deleted."""

import re
from collections.abc import Collection, Iterable

from pyspark.sql import Column
from pyspark.sql import functions as F

from schemas.table import Table

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def scope_of(table: Table, source: str) -> Column:
    """Where a row of `table` stands in the namespace of `source`, from the table's template."""
    pieces = _PLACEHOLDER.split(table.scopes[source])
    parts = [
        F.col(piece).cast("string") if i % 2 else F.lit(piece) for i, piece in enumerate(pieces) if piece
    ]
    return F.concat(*parts)


def covers(gaps: Iterable[str], scope: str) -> bool:
    """Whether one of the gaps is at the scope or above it; see `is_under`."""
    return any(f"{scope}/".startswith(f"{gap.rstrip('/')}/") for gap in gaps)


def is_under(scope: Column, gaps: Collection[str]) -> Column:
    """Whether a gap is at the scope or above it; `/` is above everything.

    A row's ancestors are looked up depth by depth: comparing each row with each gap takes minutes where both are many.
    """
    if not gaps:
        return F.lit(False)
    if "/" in gaps:
        return F.lit(True)
    hidden = F.lit(False)
    for depth in sorted({gap.count("/") for gap in gaps}):
        at_depth = sorted(gap for gap in gaps if gap.count("/") == depth)
        hidden = hidden | F.substring_index(scope, "/", depth + 1).isin(at_depth)
    # A row from another source may not say where it stands in this one: then nobody knows that it was seen.
    return F.coalesce(hidden, F.lit(True))
