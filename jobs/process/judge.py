"""What is wrong: every check, and the findings they open and resolve."""

import pyarrow as pa

from jobs.checks.parts.check import Check, all_checks
from jobs.lake.arrow import in_columns
from jobs.lake.write import DeltaTables
from jobs.process.findings import JUDGED, findings
from jobs.process.frames import Frames
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State, write_state
from jobs.rules import Rules
from schemas.judgement import FINDINGS


def write_findings(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames, rules: Rules) -> State:
    """Run every check on the state after this snapshot, and append what changed of the findings."""
    last_captured_at = delta.last.captured_at if delta.last else None
    rows = findings(
        delta.duckdb,
        delta.before(FINDINGS),
        judged(frames, rules),
        snapshot.captured_at,
        last_captured_at,
        rules.ignore,
    )
    return write_state(delta, FINDINGS, rows, "false", snapshot.captured_at)


def judged(frames: Frames, rules: Rules) -> pa.Table:
    """What every check says of each subject that is not plainly fine, in the columns of JUDGED."""
    asked = [check for check in all_checks() if not check.only_with or frames.has_rows(check.only_with)]
    return in_columns([_judged(frames, check, rules) for check in asked], JUDGED)


def _judged(frames: Frames, check: Check, rules: Rules) -> pa.Table:
    return frames.answer(check.verdicts, {**check.values, **rules.thresholds.get(check.check_id, {})})
