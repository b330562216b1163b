"""State tables around a snapshot: what was seen is compared with what was before, and the difference is appended."""

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.lake.state import compare, living, rows_to_append
from jobs.lake.write import DeltaTables
from schemas.table import Table

log = logging.getLogger(__name__)

_TABLES_AT_ONCE = 4

Made = TypeVar("Made")


@dataclass(frozen=True)
class State:
    """A state table before and after a snapshot.

    `stored` are the rows before (see `DeltaTables.before`); `compared` has the columns of `jobs.lake.state.compare`,
    and is None where the snapshot changed nothing.
    """

    table: Table
    delta: DeltaTables
    stored: pa.Table
    compared: DataFrame | None = None

    @property
    def before(self) -> DataFrame:
        """The rows before the snapshot: `cluster` and `before`, a struct of the table's columns."""
        if self.compared is not None:
            return self.compared.where("before is not null").select("cluster", "before")
        return self._unchanged.select("cluster", F.struct(*self.table.column_names).alias("before"))

    @cached_property
    def now(self) -> DataFrame:
        """The rows after the snapshot: `cluster` and the table's columns."""
        return self._unchanged if self.compared is None else living(self.compared, self.table)

    @cached_property
    def _unchanged(self) -> DataFrame:
        return self.delta.local(self.stored.select(["cluster", *self.table.column_names]))


class States:
    """Every state table around a snapshot: those that it made, and the others as they lie in the lake."""

    def __init__(self, delta: DeltaTables, made: Mapping[str, State]) -> None:
        self._delta = delta
        self._states = dict(made)

    def of(self, table: Table) -> State:
        """The state of one table."""
        if table.name not in self._states:
            self._states[table.name] = State(table, self._delta, self._delta.before(table))
        return self._states[table.name]

    @property
    def changed(self) -> set[str]:
        """The names of the tables of which the snapshot changed a row."""
        return {name for name, state in self._states.items() if state.compared is not None}


def write_state(
    delta: DeltaTables, table: Table, seen: pa.Table, unseen: Column, captured_at: datetime
) -> State:
    """Compare the rows that were seen with those before this snapshot, and append the difference.

    `unseen` tells, over the table's columns, which rows a coverage gap hides: they stay as they were.
    """
    stored = delta.before(table)
    if _are_equal(stored.select(table.column_names), seen, table.key):
        return State(table, delta, stored)
    with_cluster = delta.local(seen).withColumn("cluster", F.lit(delta.cluster))
    compared, changes = _settled(delta, compare(delta.local(stored), with_cluster, table, unseen))
    log.info("%s: %d rows changed", table.name, changes)
    if not changes:
        return State(table, delta, stored)
    delta.append(table, rows_to_append(compared, table, delta.snapshot_id, delta.era, captured_at))
    return State(table, delta, stored, compared)


def side_by_side(make: Callable[[Table], Made], tables: Iterable[Table]) -> list[Made]:
    """Make something of several tables at once: most of it is waiting for small Spark jobs."""
    with ThreadPoolExecutor(_TABLES_AT_ONCE) as pool:
        return list(pool.map(make, tables))


def _settled(delta: DeltaTables, compared: DataFrame) -> tuple[DataFrame, int]:
    """The compared rows as values that are computed, and how many of them differ.

    Spark would compute the whole chain of plans again at each use, which costs more than the rows.
    """
    if delta.is_large:
        compared = compared.localCheckpoint()
        return compared, compared.where("op is not null").count()
    rows = compared.toArrow()
    return delta.local(rows), rows.num_rows - rows["op"].null_count


def _are_equal(stored: pa.Table, seen: pa.Table, key: tuple[str, ...]) -> bool:
    """Whether both hold the same rows: most tables do, and need no comparison by Spark then."""
    if stored.num_rows != seen.num_rows:
        return False
    by_key = [(name, "ascending") for name in key]
    stored, seen = (rows.sort_by(by_key) if by_key else rows for rows in (stored, seen))
    return bool(stored.equals(seen))
