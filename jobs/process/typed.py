"""From raw state to typed tables."""

from collections.abc import Collection
from importlib import import_module
from typing import Any

from pyspark.sql import DataFrame

from jobs.authority import authority
from jobs.process.run import SnapshotRun, side_by_side
from schemas.registry import derived, tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def write_typed_tables(run: SnapshotRun) -> None:
    """Make every derived table from the raw state of its source; see `jobs.authority`."""
    run.authority = authority(run.gaps.keys(), _controller_znode(run))
    side_by_side(lambda table: _write(run, table), derived())


def _write(run: SnapshotRun, table: Table) -> None:
    source = run.source_of(table)
    if source in run.gaps:
        run.write_state(table, _made(run, table, source), run.captured(source))


def _made(run: SnapshotRun, table: Table, source: str) -> DataFrame:
    function: Any = getattr(import_module(f"jobs.tables.{table.name}"), table.name)
    rivals = table.scopes.keys() - {source}
    inputs = [_input(run, tables()[name], rivals) for name in table.inputs]
    rows: DataFrame = function(*inputs)
    return rows.select(*table.column_names)


def _input(run: SnapshotRun, table: Table, rivals: Collection[str]) -> DataFrame:
    """The raw state of a table; nothing of a source that says the same as the one that is followed."""
    if table.source in rivals:
        return run.lake.frame(table, [])
    return run.now(table).drop("cluster")


def _controller_znode(run: SnapshotRun) -> str | None:
    if "zookeeper" not in run.gaps or "kafka" not in run.gaps:
        return None
    row = run.now(ZNODES).where("path = '/controller'").select("data").first()
    return row.data if row else None
