"""From raw state to typed tables."""

from collections.abc import Sequence

import pyarrow.compute as pc

from jobs.lake.authority import authority, source_of
from jobs.lake.coverage import covers
from jobs.lake.write import DeltaTables
from jobs.process.corrected import as_made_today
from jobs.process.made import rows_of
from jobs.process.since import was_seen_before
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import TABLES_AT_ONCE, State, States, write_state
from jobs.process.unchanged import unchanged
from jobs.side_by_side import side_by_side
from schemas.registry import derived
from schemas.table import Table
from schemas.zookeeper import ZNODES


def followed_source(snapshot: SnapshotInput, raw: States) -> str:
    """The source that the typed tables follow in this snapshot: `zookeeper`, `kafka`, or none where neither is read."""
    return authority(snapshot.gaps.keys(), _controller_znode(snapshot, raw))


def followed_tables(snapshot: SnapshotInput, authority: str) -> list[Table]:
    """The derived tables whose source this snapshot was to read."""
    return [table for table in derived() if source_of(table, authority) in snapshot.gaps]


def write_typed_tables(
    delta: DeltaTables, snapshot: SnapshotInput, raw: States, authority: str, followed: Sequence[Table]
) -> dict[str, State]:
    """Make the derived tables that are `followed` from the raw state, and append what changed of them.

    Gives the tables that were made, by name; those that would come out as they are were not.
    """
    kept = unchanged(delta, snapshot, raw, authority, followed)
    before = States(delta, {})

    def write(table: Table) -> State:
        source = source_of(table, authority)
        return write_state(
            delta,
            table,
            rows_of(table, source, raw, lambda place: _was_ever_seen(delta, snapshot, source, place)),
            snapshot.unseen(table, source),
            snapshot.captured(source),
            as_made_today(delta, before, table),
        )

    made = side_by_side(write, [table for table in followed if table.name not in kept], TABLES_AT_ONCE)
    return {state.table.name: state for state in made}


def _was_ever_seen(delta: DeltaTables, snapshot: SnapshotInput, source: str, place: str) -> bool:
    """Whether this snapshot or one before it saw a place of a source."""
    if snapshot.is_read(source) and not covers({gap.scope for gap in snapshot.gaps[source]}, place):
        return True
    return was_seen_before(delta, source, place)


def _controller_znode(snapshot: SnapshotInput, raw: States) -> str | None:
    if "zookeeper" not in snapshot.gaps or "kafka" not in snapshot.gaps:
        return None
    znodes = raw.of(ZNODES).rows
    found = znodes.filter(pc.equal(znodes["path"], "/controller"))["data"].to_pylist()
    return found[0] if found else None
