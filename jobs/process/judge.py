"""What is wrong: every check, and the findings they open and resolve."""

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check, all_checks
from jobs.process.findings import findings
from jobs.process.frames import call
from jobs.process.run import SnapshotRun
from schemas.judgement import FINDINGS


def write_findings(run: SnapshotRun) -> None:
    """Run every check on the state after this snapshot."""
    judged = reduce(DataFrame.unionByName, [_judged(run, check) for check in all_checks()])
    before = run.lake.before(FINDINGS).drop("cluster")
    last_captured_at = run.lake.commits[-1].captured_at if run.lake.commits else None
    run.write_state(FINDINGS, findings(before, judged, run.captured_at, last_captured_at), run.captured_at)


def _judged(run: SnapshotRun, check: Check) -> DataFrame:
    return call(run, check.judge).select(
        F.lit(check.check_id).alias("check_id"),
        "subject",
        F.coalesce("is_hit", F.lit(False)).alias("is_hit"),
        F.coalesce("is_known", F.lit(False)).alias("is_known"),
        F.lit(check.severity).alias("severity"),
        F.to_json("evidence", {"ignoreNullFields": "false"}).alias("evidence"),
        F.lit(check.remedy).alias("remedy"),
    )
