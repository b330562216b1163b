"""What each broker's absence would do, kept with every snapshot."""

from jobs.lake.arrow import in_columns
from jobs.lake.write import DeltaTables
from jobs.process.frames import Frames
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State, write_state
from jobs.whatif.election import per_broker
from schemas.whatif import WHATIF


def write_whatif(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames) -> State:
    """Ask it of the state after this snapshot, and append what changed of the answers."""
    rows = in_columns([frames.answer(per_broker())], WHATIF.columns)
    return write_state(delta, WHATIF, rows, "false", snapshot.captured_at)
