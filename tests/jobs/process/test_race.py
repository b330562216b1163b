"""Two drivers process the snapshots of one lake in S3, and each is stopped (SIGSTOP) and goes on (SIGCONT) at any moment."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lake.layout import writer_lock_path
from jobs.lake.sight import Sight
from jobs.process import process
from jobs.settings import Settings
from jobs.storage import Storage, open_storage
from tests.jobs.process.conftest import CLUSTER, land_recorded
from tests.jobs.process.driver import newest_committed
from tests.jobs.process.every_engine import by_deltalake, by_duckdb, versions
from tests.jobs.process.onlooker import is_whole, onlooker
from tests.jobs.process.whole_lake import everything
from tests.jobs.process.writer import RECORDED, id_of

pytestmark = pytest.mark.cluster

SNAPSHOTS = int(os.environ.get("VARVE_SOAK_RACE", "200"))
LEASE_S = 5.0
AHEAD = 3
"""So many snapshots have landed that are not committed."""
PARTS = ("the driver", "its JVM", "both")


class Driver:
    """A driver as a process, and its JVM."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self.process = process
        self._log = log
        self._python = psutil.Process(process.pid)

    @property
    def said(self) -> list[str]:
        return self._log.read_text().splitlines()

    @contextmanager
    def paused(self, part: str = "both") -> Iterator[None]:
        jvm = [each for each in self._python.children(recursive=True) if "java" in each.name()]
        stopped = {"the driver": [self._python], "its JVM": jvm, "both": [self._python, *jvm]}[part]
        try:
            for each in stopped:
                each.send_signal(signal.SIGSTOP)
            yield
        finally:
            for each in stopped:
                each.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("count", [4, pytest.param(SNAPSHOTS, marks=pytest.mark.soak, id="many")])
def test_two_drivers_that_race_and_are_paused_commit_every_snapshot_once(
    in_s3: Settings, settings: Settings, spark: SparkSession, tmp_path: Path, count: int
) -> None:
    started = time.monotonic()
    with _driver(tmp_path, count, 1) as one, _driver(tmp_path, count, 2) as two, onlooker(in_s3) as seen:
        drivers = (one, two)
        taken_over = _disturb(in_s3, drivers, count)
        assert [driver.process.wait(300) for driver in drivers] == [0, 0]
    storage = open_storage(in_s3.lake)
    said = [line.partition(":")[0] for driver in drivers for line in driver.said]
    at_once = Sight(storage, CLUSTER).counting(id_of(number) for number in range(count))
    print(
        f"\n{count} snapshots in {time.monotonic() - started:.0f} s, {taken_over} times taken over, {count - len(at_once)} begun again, "
        f"{said.count('refused')} refused, {said.count('failed')} failed, {len(seen)} times looked at"
    )
    assert taken_over >= 1
    assert [answer for answer in seen if not is_whole(answer)] == []
    assert seen[-1][0] == [id_of(number) for number in range(count)]
    by_spark = {name: tuple(found) for name, found in json.loads(one.said[-1]).items()}
    assert by_spark == by_deltalake(storage, CLUSTER) == by_duckdb(storage, CLUSTER)
    for name in by_spark:
        there = versions(storage, CLUSTER, name)
        assert there == list(range(there[0], there[0] + len(there)))

    for number in range(count):
        land_recorded(settings.lake, RECORDED[number % 2], id_of(number))
        process(settings, CLUSTER, id_of(number), spark, expect=False)
    assert everything(in_s3) == everything(settings)


def _disturb(settings: Settings, drivers: Sequence[Driver], count: int) -> int:
    """Land what is next, and stop a driver at some moment, until all is committed; gives how often one lost its lease.

    How long they go on before the next pause follows from how long they take for a snapshot.
    """
    random, storage, landed, taken_over = Random(count), open_storage(settings.lake), 0, 0
    wait_until("both drivers are ready", lambda: all(driver.said for driver in drivers), [], timeout_s=300)
    started = time.monotonic()
    while (committed := newest_committed(storage) + 1) < count:
        assert all(driver.process.poll() is None for driver in drivers), [each.said for each in drivers]
        for number in range(landed, min(committed + AHEAD, count)):
            land_recorded(settings.lake, RECORDED[number % 2], id_of(number))
            landed = number + 1
        busy_s = 1.5 * (time.monotonic() - started) / max(committed, 1)
        time.sleep(random.uniform(0, max(busy_s, LEASE_S)))
        holder = _holder(storage, drivers)
        if holder and (not taken_over or random.random() < 0.6):
            with holder.paused():
                taken_over += _is_taken_over(storage, drivers, holder)
                time.sleep(random.uniform(0, LEASE_S))
        else:
            with random.choice(drivers).paused(random.choice(PARTS)):
                time.sleep(random.uniform(0, 2 * LEASE_S))
    return taken_over


def _holder(storage: Storage, drivers: Sequence[Driver]) -> Driver | None:
    """The driver that holds the lease, or is to give it back soon."""
    lease: dict[str, Any] = json.loads(storage.read(writer_lock_path(CLUSTER)) or b"{}")
    holds = lease["process"] if lease.get("owner") else None
    return next((driver for driver in drivers if driver.process.pid == holds), None)


def _is_taken_over(storage: Storage, drivers: Sequence[Driver], holder: Driver) -> bool:
    """Wait until another driver has the lease of one that stands still; not where it gave it back meanwhile."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        now = _holder(storage, drivers)
        if now is not holder:
            return now is not None
        time.sleep(0.1)
    return pytest.fail("nobody took the lease over")


@contextmanager
def _driver(folder: Path, count: int, number: int) -> Iterator[Driver]:
    """A driver whose session is warm."""
    log = folder / f"driver-{number}.log"
    arguments = [str(folder / "in_s3.yaml"), str(count), str(LEASE_S)]
    command = [sys.executable, "-m", "tests.jobs.process.driver", *arguments]
    with ExitStack() as stack:
        said = stack.enter_context(log.open("w"))
        told = stack.enter_context(log.with_suffix(".stderr").open("w"))
        driver = stack.enter_context(subprocess.Popen(command, stdout=said, stderr=told, text=True))
        stack.callback(driver.kill)
        yield Driver(driver, log)
