"""The object store is away for a while in which a snapshot is processed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.process import process
from jobs.settings import Settings
from jobs.storage import open_storage
from tests.jobs.process.conftest import CLUSTER, FIRST, land_recorded
from tests.jobs.process.driver import BUSY
from tests.jobs.process.every_engine import versions
from tests.jobs.process.whole_lake import everything
from tests.outage import Way
from tests.s3_server import S3Server

pytestmark = pytest.mark.cluster

SECOND = "20261121T141000Z"
VARVE = str(Path(sys.executable).with_name("varve"))


@pytest.mark.parametrize("away_s", [10, None], ids=["for ten seconds", "until the run gives up"])
def test_a_run_goes_on_or_says_what_to_do_and_the_next_one_heals_it(
    in_s3: Settings,
    s3: S3Server,
    settings: Settings,
    spark: SparkSession,
    tmp_path: Path,
    away_s: int | None,
) -> None:
    for lake in (in_s3.lake, settings.lake):
        land_recorded(lake, "healthy", FIRST)
        land_recorded(lake, "broker_killed", SECOND)
    way, storage = Way(s3.endpoint), open_storage(in_s3.lake)
    config = tmp_path / "in_s3.yaml"
    config.write_text(config.read_text().replace(s3.endpoint, way.endpoint))
    command = [VARVE, "--config", str(config), "process", CLUSTER]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        wait_until("the first table", lambda: bool(versions(storage, CLUSTER, "znodes")), [], timeout_s=300)
        way.cut()
        if away_s:
            time.sleep(away_s)
            way.mend()
        _, told = run.communicate(timeout=300)
    if not away_s:
        way.mend()
    assert away_s or run.returncode
    if run.returncode:
        assert "Traceback" not in told, told
        assert "the store does not answer: compare storage.endpoint" in told
        assert _once_the_lease_has_ended(command) == ""
    process(settings, CLUSTER, SECOND, spark)
    said, quiet = everything(in_s3), everything(settings)
    # Who catches expectations up runs all of them, also on tables that did not change.
    del said["expectation_results"], quiet["expectation_results"]
    assert said == quiet


def _once_the_lease_has_ended(command: list[str]) -> str:
    """Run the command, again as long as it says that another process is writing; gives why it failed."""
    deadline = time.monotonic() + 120
    while True:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if not done.returncode or time.monotonic() > deadline or BUSY not in done.stderr:
            return done.stderr if done.returncode else ""
