"""Which derived tables the newest commit left as this snapshot would make them, so that nobody makes them again.

A derived table is a function of the raw state, except for rows that a gap hid when it was made. So it stays as it is
when the newest commit was of the same code and the same authority, saw everything the table is made from, and nothing
of that has changed since. By induction it does not matter whether that commit made the table or left it, too.
"""

from collections.abc import Collection, Iterable

from pyspark.sql import Column
from pyspark.sql import functions as F

from jobs.lake.write import Commit
from jobs.process.run import SnapshotRun
from jobs.process.version import code_version
from schemas.registry import tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def unchanged(run: SnapshotRun, derived: Iterable[Table]) -> set[str]:
    """The names of those of the derived tables that need not be made; call it after the raw tables are written."""
    last = run.lake.commits[-1] if run.lake.commits else None
    if not last or (last.authority, last.varve_version) != (run.authority, code_version()):
        return set()
    seen = [table for table in derived if _saw_all(last, table, inputs_of(run, table))]
    moved = _moved_subtrees(run, {path for table in seen for path in table.subtrees})
    return {table.name for table in seen if not _has_moved(run, table, moved)}


def inputs_of(run: SnapshotRun, table: Table) -> list[Table]:
    """The tables that a derived table is made from, by the source that it follows."""
    return [tables()[name] for name in table.inputs[run.source_of(table)]]


def below(path: Column, subtrees: Iterable[str]) -> Column:
    """Whether a znode is at one of the paths or below it."""
    found = F.lit(False)
    for subtree in subtrees:
        found = found | (path == subtree) | path.startswith(f"{subtree}/")
    return found


def _saw_all(last: Commit, table: Table, inputs: Iterable[Table]) -> bool:
    return all(
        raw.source in last.sources
        and not any(_overlap(gap, place) for gap in last.gaps[raw.source] for place in _places(table, raw))
        for raw in inputs
    )


def _places(table: Table, raw: Table) -> tuple[str, ...]:
    """Where in its source the rows stand that a derived table is made from."""
    if raw is ZNODES:
        return table.subtrees or ("/",)
    return (raw.scopes[raw.source].partition("{")[0].rstrip("/") or "/",)


def _overlap(one: str, other: str) -> bool:
    """Whether one path is at or below the other."""
    one, other = (path.rstrip("/") + "/" for path in (one, other))
    return one.startswith(other) or other.startswith(one)


def _moved_subtrees(run: SnapshotRun, subtrees: Collection[str]) -> set[str]:
    """Those of the subtrees in which this snapshot saw a change; one Spark job."""
    if ZNODES.name not in run.changed or not subtrees:
        return set()
    path = F.coalesce("after.path", "before.path")
    ordered = sorted(subtrees)
    changes = run.states[ZNODES.name].where("op is not null")
    answer = changes.agg(*[F.bool_or(below(path, [subtree])) for subtree in ordered]).collect()[0]
    return {subtree for subtree, has_moved in zip(ordered, answer, strict=True) if has_moved}


def _has_moved(run: SnapshotRun, table: Table, moved: set[str]) -> bool:
    changed = {raw.name for raw in inputs_of(run, table)} & run.changed
    if table.subtrees and not moved & set(table.subtrees):
        changed.discard(ZNODES.name)
    return bool(changed)
