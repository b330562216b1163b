"""What is wrong: every check, and the findings they open and resolve."""

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check, all_checks
from jobs.lake.arrow import in_columns
from jobs.lake.write import DeltaTables
from jobs.process.findings import findings
from jobs.process.frames import Frames
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State, write_state
from schemas.judgement import FINDINGS


def write_findings(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames) -> State:
    """Run every check on the state after this snapshot, and append what changed of the findings."""
    before = delta.local(delta.before(FINDINGS))
    last_captured_at = delta.last.captured_at if delta.last else None
    found = findings(before, judged(frames), snapshot.captured_at, last_captured_at)
    rows = in_columns([found.toArrow()], FINDINGS.columns)
    return write_state(delta, FINDINGS, rows, "false", snapshot.captured_at)


def judged(frames: Frames) -> DataFrame:
    """What every check says of each subject it looked at; see `jobs.process.findings`."""
    return reduce(DataFrame.unionByName, [_judged(frames, check) for check in all_checks()])


def _judged(frames: Frames, check: Check) -> DataFrame:
    return frames.call(check.judge).select(
        F.lit(check.check_id).alias("check_id"),
        "subject",
        F.coalesce("is_hit", F.lit(False)).alias("is_hit"),
        F.coalesce("is_known", F.lit(False)).alias("is_known"),
        F.lit(check.severity).alias("severity"),
        F.to_json("evidence", {"ignoreNullFields": "false", "timeZone": "UTC"}).alias("evidence"),
        F.lit(check.remedy).alias("remedy"),
    )
