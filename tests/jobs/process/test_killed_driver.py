"""A driver of a lake in S3 is killed (`kill -9`) after each of its steps, and the next one heals what it left."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings
from tests.jobs.process.conftest import CLUSTER, land_recorded
from tests.jobs.process.onlooker import ask
from tests.jobs.process.whole_lake import everything
from tests.jobs.process.writer import RECORDED, id_of

pytestmark = pytest.mark.cluster

LEASE_S = 5.0
BEFORE_THE_COMMIT = (
    "seal",
    "write_raw_tables",
    "write_typed_tables",
    "write_events",
    "write_findings",
    "write_whatif",
    "write_gaps",
    "mark_due",
)
AFTER_IT = ("commit", "write_expectation_results", "clear_landed", "tidy_some")


def test_after_each_step_the_next_run_heals_what_was_left(
    in_s3: Settings, settings: Settings, spark: SparkSession, tmp_path: Path
) -> None:
    land_recorded(in_s3.lake, RECORDED[0], id_of(0))
    assert _run(tmp_path, 0) == 0
    land_recorded(in_s3.lake, RECORDED[1], id_of(1))
    for step in BEFORE_THE_COMMIT:
        assert (step, _run(tmp_path, 1, step)) == (step, -signal.SIGKILL)
        assert (step, _committed(in_s3)) == (step, 1)
    for number, step in enumerate(AFTER_IT, 1):
        land_recorded(in_s3.lake, RECORDED[number % 2], id_of(number))
        assert (step, _run(tmp_path, number, step)) == (step, -signal.SIGKILL)
        assert (step, _committed(in_s3)) == (step, number + 1)
    last = len(AFTER_IT) + 1
    land_recorded(in_s3.lake, RECORDED[last % 2], id_of(last))
    assert _run(tmp_path, last) == 0

    for number in range(last + 1):
        land_recorded(settings.lake, RECORDED[number % 2], id_of(number))
        process(settings, CLUSTER, id_of(number), spark)
    said, quiet = everything(in_s3), everything(settings)
    # Who catches expectations up runs all of them, also on tables that did not change.
    del said["expectation_results"], quiet["expectation_results"]
    assert said == quiet


def _run(folder: Path, number: int, *step: str) -> int:
    """Process a snapshot in a process of its own, and say how it ended."""
    arguments = [str(folder / "in_s3.yaml"), id_of(number), str(LEASE_S), *step]
    command = [sys.executable, "-m", "tests.jobs.process.dying", *arguments]
    with (folder / "dying.log").open("a") as log:
        return subprocess.run(command, stdout=log, stderr=log, timeout=300, check=False).returncode


def _committed(settings: Settings) -> int:
    ((count,),) = ask(settings, "SELECT count(*) FROM snapshots")
    return int(count)
