"""A process that takes one recorded snapshot after the other, with upkeep after every third, until it is killed.

`python -m tests.jobs.process.writer VARVE_YAML COUNT` goes on after the newest snapshot that landed whole, and ends after
so many. What was begun before and not finished it leaves to the next snapshot. In an object store it waits for the lease
of the one before to end.
"""

import sys
import time
from datetime import timedelta
from pathlib import Path

from jobs.lake.layout import writer_lock_path
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.landing.manifest import read_manifest
from jobs.landing.order import landed_snapshots
from jobs.machine.session import spark_session
from jobs.process import process
from jobs.settings import Settings, load_settings
from jobs.storage import Storage, lease, open_storage
from jobs.upkeep.maintain import maintain
from tests.jobs.process.conftest import CLUSTER, land_recorded

FIRST = logical_time("20261121T140000Z")
LEASE_S = 10.0
EVERY = timedelta(minutes=10)
RECORDED = ("healthy", "broker_killed")
"""What the snapshots of even and of odd numbers see."""


def id_of(number: int) -> str:
    """The id of the snapshot of that number, from 0 on."""
    return snapshot_id_at(FIRST + number * EVERY)


def number_of(snapshot_id: str) -> int:
    """The number of the snapshot of that id."""
    return int((logical_time(snapshot_id) - FIRST) / EVERY)


def main(config: Path, snapshots: int) -> None:
    """Take so many snapshots; says `ready` when the first begins."""
    lease.SECONDS = LEASE_S
    settings = load_settings(config)
    spark = spark_session("writer", settings.lake)
    wait_for_the_lock(open_storage(settings.lake))
    print("ready", flush=True)
    first = newest(settings) + 1
    for number in range(first, first + snapshots):
        snapshot_id = id_of(number)
        land_recorded(settings.lake, RECORDED[number % 2], snapshot_id)
        process(settings, CLUSTER, snapshot_id, spark, expect=False)
        if number % 3 == 2:
            list(maintain(settings, CLUSTER, logical_time(snapshot_id)))


def wait_for_the_lock(storage: Storage) -> None:
    """Wait until no lease of a driver that was killed holds the others up."""
    is_held = False
    while not is_held:
        with storage.lock(writer_lock_path(CLUSTER)) as is_held:
            time.sleep(0.2)


def newest(settings: Settings) -> int:
    """The number of the newest snapshot that is committed or landed whole, -1 where there is none."""
    storage = open_storage(settings.lake)
    sources = list(settings.cluster(CLUSTER).sources)
    whole = [
        each
        for each in landed_snapshots(storage, CLUSTER, sources)
        if all(read_manifest(storage, CLUSTER, source, each) for source in sources)
    ]
    last = Sight(storage, CLUSTER).last
    return max((number_of(each) for each in [*whole, *([last.snapshot_id] if last else [])]), default=-1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
