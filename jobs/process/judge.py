"""What is wrong: every check, and the findings they open and resolve."""

import pyarrow as pa

from jobs.checks.parts.check import Check, all_checks
from jobs.lake.arrow import in_columns
from jobs.lake.write import DeltaTables
from jobs.process.findings import JUDGED, findings
from jobs.process.frames import Frames
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State, write_state
from schemas.judgement import FINDINGS


def write_findings(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames) -> State:
    """Run every check on the state after this snapshot, and append what changed of the findings."""
    last_captured_at = delta.last.captured_at if delta.last else None
    rows = findings(
        delta.duckdb, delta.before(FINDINGS), judged(frames), snapshot.captured_at, last_captured_at
    )
    return write_state(delta, FINDINGS, rows, "false", snapshot.captured_at)


def judged(frames: Frames) -> pa.Table:
    """What every check says of each subject that is not plainly fine, in the columns of JUDGED."""
    return in_columns([_judged(frames, check) for check in all_checks()], JUDGED)


def _judged(frames: Frames, check: Check) -> pa.Table:
    return frames.answer(check.verdicts, check.values)
