"""Finds the derived tables that need not be made again: nothing they are made from has changed since the newest commit.

A derived table is a function of the raw state, except for rows that a gap hid when it was made. So it stays as it is
when the newest commit was of the same code and the same authority, nothing that the table is made from has changed
since, and what the newest commit did not see of that is not seen now either. By induction it does not matter whether that
commit made the table or left it, too.
"""

from collections.abc import Collection, Iterable, Mapping

from jobs.lake.authority import source_of
from jobs.lake.commits import Commit
from jobs.lake.coverage import covers, overlap
from jobs.lake.write import DeltaTables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import States
from jobs.process.version import code_version
from schemas.registry import tables
from schemas.table import Table
from schemas.zookeeper import ZNODES


def unchanged(
    delta: DeltaTables, snapshot: SnapshotInput, raw: States, authority: str, derived: Iterable[Table]
) -> set[str]:
    """The names of those of the derived tables that need not be made."""
    last = delta.last
    if not last or (last.authority, last.varve_version) != (authority, code_version()):
        return set()
    inputs = {table.name: _inputs(table, authority) for table in derived}
    unseen = {source: {gap.scope for gap in gaps} for source, gaps in snapshot.gaps.items()}
    seen = [table for table in derived if not _sees_more(delta, last, unseen, table, inputs[table.name])]
    moved = _moved_subtrees(raw, {path for table in seen for path in table.subtrees})
    return {table.name for table in seen if not _has_moved(raw, table, inputs[table.name], moved)}


def _inputs(table: Table, authority: str) -> list[Table]:
    return [tables()[name] for name in table.inputs[source_of(table, authority)]]


def _sees_more(
    delta: DeltaTables, last: Commit, unseen: Mapping[str, set[str]], table: Table, inputs: Iterable[Table]
) -> bool:
    """Whether the newest commit did not see something that a table is made from, and which is not `unseen` now."""
    return any(
        raw.source not in last.sources
        or any(
            not covers(unseen.get(raw.source, set()), gap)
            for gap in delta.unseen_by(last, raw.source)
            if any(overlap(gap, place) for place in _places(table, raw))
        )
        for raw in inputs
    )


def _places(table: Table, raw: Table) -> tuple[str, ...]:
    """Where in its source the rows stand that a derived table is made from."""
    if raw is ZNODES:
        return table.subtrees or ("/",)
    return (raw.scopes[raw.source].partition("{")[0].rstrip("/") or "/",)


def _moved_subtrees(raw: States, subtrees: Collection[str]) -> set[str]:
    """Those of the subtrees in which this snapshot saw a change."""
    if ZNODES.name not in raw.changed:
        return set()
    paths = raw.of(ZNODES).changes["path"].to_pylist()
    return {subtree for subtree in subtrees if any(covers({subtree}, path) for path in paths)}


def _has_moved(raw: States, table: Table, inputs: Iterable[Table], moved: set[str]) -> bool:
    changed = {one.name for one in inputs} & raw.changed
    if table.subtrees and not moved & set(table.subtrees):
        changed.discard(ZNODES.name)
    return bool(changed)
