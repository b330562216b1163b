"""A driver that is killed (`kill -9`) when a step is done.

`python -m tests.jobs.process.dying VARVE_YAML SNAPSHOT_ID LEASE_S [STEP]` processes a snapshot once no lease holds it up; a step
is the name of a function in `jobs.process.pipeline`.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from jobs.machine.session import spark_session
from jobs.process import pipeline, process
from jobs.settings import load_settings
from jobs.storage import lease, open_storage
from tests.jobs.process.conftest import CLUSTER
from tests.jobs.process.writer import wait_for_the_lock


def main(config: Path, snapshot_id: str, lease_s: float, step: str | None = None) -> None:
    lease.SECONDS = lease_s
    settings = load_settings(config)
    spark = spark_session("dying", settings.lake)
    wait_for_the_lock(open_storage(settings.lake))
    if step:
        setattr(pipeline, step, _killed_after(getattr(pipeline, step)))
    process(settings, CLUSTER, snapshot_id, spark)


def _killed_after(step: Any) -> Any:
    def run(*given: Any) -> None:
        step(*given)
        os.kill(os.getpid(), signal.SIGKILL)

    return run


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), *sys.argv[4:])
