"""After an upgrade: the rows before, as today's code makes them. What code newly knows did not happen in the cluster."""

import pyarrow as pa

from jobs.lake.authority import source_of
from jobs.lake.coverage import is_unseen
from jobs.lake.keys import one_row_a_key
from jobs.lake.state import corrected
from jobs.lake.write import DeltaTables
from jobs.process.made import rows_of
from jobs.process.since import was_seen_before
from jobs.process.state import States
from jobs.process.version import code_version
from schemas.table import Table


def as_made_today(delta: DeltaTables, before: States, table: Table) -> pa.Table | None:
    """The rows of a derived table `before` this snapshot, as today's code makes them of the raw state before.

    None where they are: the newest commit was of this code, or followed no source that the table can be made from.
    """
    last = delta.last
    if not last or last.varve_version == code_version():
        return None
    source = source_of(table, last.authority)
    if source not in table.inputs:
        return None
    remade = rows_of(table, source, before, lambda place: was_seen_before(delta, source, place))
    return corrected(
        delta.duckdb,
        before.of(table).rows,
        one_row_a_key(delta.duckdb, remade, table),
        table,
        is_unseen(table, source, {each: delta.unseen_by(last, each) for each in last.sources}),
    )
