"""State tables around a snapshot: what was seen is compared with what was before, and the difference is appended."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame

from jobs.lake.keys import one_row_a_key
from jobs.lake.state import Comparison, changes_schema, compare
from jobs.lake.write import DeltaTables
from schemas.table import Table

log = logging.getLogger(__name__)

TABLES_AT_ONCE = 4
"""How many tables are made at once: most of it is waiting for small Spark jobs."""


@dataclass(frozen=True)
class State:
    """A state table after a snapshot: its living `rows`, in the table's columns, and the snapshot's `changes` of them.

    The columns of the changes are those of `jobs.lake.state.Comparison`. What only corrects a row is none.
    """

    table: Table
    delta: DeltaTables
    rows: pa.Table
    changes: pa.Table

    @cached_property
    def frame(self) -> DataFrame:
        """The rows for Spark."""
        return self.delta.local(self.rows)


class States:
    """Every state table after a snapshot: those that it made, and the others as they lie in the lake."""

    def __init__(self, delta: DeltaTables, made: Mapping[str, State]) -> None:
        self._delta = delta
        self._states = dict(made)

    def of(self, table: Table) -> State:
        """The state of one table."""
        if table.name not in self._states:
            rows = self._delta.before(table).select(table.column_names)
            self._states[table.name] = State(table, self._delta, rows, changes_schema(table).empty_table())
        return self._states[table.name]

    @property
    def changed(self) -> set[str]:
        """The names of the tables of which the snapshot changed a row."""
        return {name for name, state in self._states.items() if state.changes.num_rows}


def write_state(
    delta: DeltaTables,
    table: Table,
    seen: pa.Table,
    is_unseen: str,
    captured_at: datetime,
    corrected: pa.Table | None = None,
) -> State:
    """Compare the rows that were seen with those before this snapshot, and append the difference.

    `is_unseen` tells which rows a coverage gap hides (see `jobs.lake.coverage`): they stay as they were. Where the rows
    before are not what today's code makes of them, `corrected` is. What corrects them is appended together with what
    changed, one row a key, but it is no change.
    """
    known = delta.known(table)
    seen = one_row_a_key(delta.duckdb, seen, table)
    compared = compare(delta.duckdb, known if corrected is None else corrected, seen, table, is_unseen)
    written = compared
    if corrected is not None:
        written = Comparison(compared.now, compare(delta.duckdb, known, compared.now, table, "false").changes)
    if written.changes.num_rows:
        log.info("%s: %d rows changed", table.name, written.changes.num_rows)
        delta.append_changes(table, written, captured_at)
    return State(table, delta, compared.now, compared.changes)
