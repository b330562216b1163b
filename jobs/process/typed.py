"""From raw state to typed tables."""

from importlib import import_module
from typing import Any

from pyspark.sql import DataFrame

from jobs.authority import authority
from jobs.process.run import SnapshotRun, side_by_side
from schemas.registry import derived, tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def write_typed_tables(run: SnapshotRun) -> None:
    """Make every derived table from the raw state of the source that has authority."""
    run.authority = authority(run.gaps.keys(), _controller_znode(run))
    if run.authority:
        side_by_side(
            lambda table: run.write_state(table, _made(run, table), run.captured(run.authority)), derived()
        )


def _made(run: SnapshotRun, table: Table) -> DataFrame:
    function: Any = getattr(import_module(f"jobs.tables.{table.name}"), table.name)
    rows: DataFrame = function(*[_input(run, tables()[name]) for name in table.inputs])
    return rows.select(*table.column_names)


def _input(run: SnapshotRun, table: Table) -> DataFrame:
    """The raw state of a table; nothing where another source has authority."""
    if table.source != run.authority:
        return run.lake.frame(table, [])
    return run.now(table).drop("cluster")


def _controller_znode(run: SnapshotRun) -> str | None:
    if "zookeeper" not in run.gaps or "kafka" not in run.gaps:
        return None
    row = run.now(ZNODES).where("path = '/controller'").select("data").first()
    return row.data if row else None
