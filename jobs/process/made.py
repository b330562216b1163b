"""The rows that today's code makes of a raw state for a derived table."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.lake.arrow import in_columns
from jobs.process.state import States
from jobs.tables.parts.conform import conform
from schemas.registry import tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def rows_of(table: Table, source: str, raw: States, was_ever_seen: Callable[[str], bool]) -> pa.Table:
    """The rows of a derived table that follows that source, in the table's columns.

    A value that stands at a place of its own is null where no snapshot ever saw that place.
    """
    function: Any = getattr(import_module(f"jobs.tables.{table.name}"), f"from_{source}")
    rows: DataFrame = function(**{name: _input(raw, table, tables()[name]) for name in table.inputs[source]})
    unknown = [
        column.name
        for column in table.columns
        if source in column.scopes and not was_ever_seen(column.scopes[source])
    ]
    return in_columns([conform(rows.drop(*unknown), table).toArrow()], table.columns)


def _input(raw: States, table: Table, one: Table) -> DataFrame:
    """The raw state that a table is made from; of the tree only the table's own subtrees."""
    rows = raw.of(one).frame
    return rows.where(_below(F.col("path"), table.subtrees)) if one is ZNODES and table.subtrees else rows


def _below(path: Column, subtrees: Iterable[str]) -> Column:
    """Whether a znode is at one of the paths or below it."""
    found = F.lit(False)
    for subtree in subtrees:
        found = found | (path == subtree) | path.startswith(f"{subtree}/")
    return found
