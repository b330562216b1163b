"""A driver that processes one landed snapshot after the other, beside others that do the same.

`python -m tests.jobs.process.driver VARVE_YAML COUNT LEASE_S` ends when so many are committed, and then says as JSON what Spark
reads of every table. Its leases last so many seconds. Before that it says a line for each snapshot that it had a go at.
"""

import json
import sys
import time
from pathlib import Path

from jobs.errors import SnapshotRefusedError
from jobs.lake.sight import Sight
from jobs.machine.session import spark_session
from jobs.process import process
from jobs.settings import load_settings
from jobs.storage import Storage, lease, open_storage
from tests.jobs.process.conftest import CLUSTER
from tests.jobs.process.every_engine import by_spark
from tests.jobs.process.writer import id_of, newest, number_of

BUSY = "Another process is writing"


def main(config: Path, count: int, lease_s: float) -> None:
    lease.SECONDS = lease_s
    settings = load_settings(config)
    spark, storage = spark_session("driver", settings.lake), open_storage(settings.lake)
    print("ready", flush=True)
    while (due := newest_committed(storage) + 1) < count:
        if due > newest(settings):
            time.sleep(0.2)
            continue
        try:
            process(settings, CLUSTER, id_of(due), spark, expect=False)
            print(f"done: {id_of(due)}", flush=True)
        except SnapshotRefusedError as error:
            if str(error).startswith(BUSY):
                time.sleep(0.2)
            else:
                print(f"refused: {error}", flush=True)
        except Exception as error:
            print(f"failed: {id_of(due)}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
    print(json.dumps(by_spark(spark, storage, CLUSTER)), flush=True)


def newest_committed(storage: Storage) -> int:
    """The number of the newest snapshot that is committed, -1 where there is none."""
    last = Sight(storage, CLUSTER).last
    return number_of(last.snapshot_id) if last else -1


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
