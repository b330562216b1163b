"""A writer that is killed (`kill -9`) again and again, while somebody reads."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import psutil
import pytest

from jobs.lake.read import NoSnapshotError, open_reader
from jobs.settings import Settings
from jobs.storage import open_storage
from tests.jobs.process.writer import id_of

KILLS = int(os.environ.get("VARVE_SOAK_KILLS", "200"))
LIFE = 45
"""Seconds of its CPU, from when it has a session, within which a writer is killed. After half of them it has rarely committed
more than one snapshot, so most writers begin with what those before them left."""
CATCHES_UP_S = 30
"""Within so many seconds for each kill the last writer has finished what the killed ones left: a snapshot each at most."""
PAUSE = 0.5
"""Seconds that the reader waits between two questions."""
VICTIMS = ("the writer", "its JVM", "both")
SEEN = (
    "SELECT (SELECT list(snapshot_id ORDER BY snapshot_id) FROM snapshots), "
    "(SELECT list(broker_id ORDER BY broker_id) FROM brokers), "
    "(SELECT count(*) FROM partitions WHERE leader = -1), "
    "(SELECT count(*) FROM findings WHERE status = 'open' AND severity <> 'info'), "
    "(SELECT count(*) FROM partitions_history WHERE topic = 'audit' AND partition = 1), "
    "(SELECT list({'snapshot_id': snapshot_id, 'events': events} ORDER BY snapshot_id) FROM "
    "(SELECT snapshot_id, count(*) AS events FROM events GROUP BY snapshot_id))"
)
NOW = (([1, 2, 3], 0, 0), ([1, 3], 3, 6))
"""After `healthy` and after `broker_killed`: the brokers, the partitions without a leader, the open findings above info."""
EVENTS = (11, 11)
"""How many events each of them makes."""
HISTORY = (
    "SELECT count(*), count(*) FILTER (valid_to = next) FROM (SELECT valid_to, lead(valid_from) OVER "
    "(ORDER BY valid_from) AS next FROM partitions_history WHERE topic = 'audit' AND partition = 1)"
)
"""How often a partition changed, and how often a change follows the one before without a hole."""


@pytest.mark.usefixtures("healthy_first")
@pytest.mark.parametrize("kills", [2, pytest.param(KILLS, marks=pytest.mark.soak, id="many")])
def test_a_writer_that_is_killed_loses_nothing_and_shows_no_half_snapshot(
    settings: Settings, kills: int
) -> None:
    config = settings.lake.with_name("varve.yaml")
    config.write_text(config.read_text() + "history: {era_rows: 1}\n")
    random = Random(kills)
    with _reader(settings) as seen:
        for _ in range(kills):
            _kill(config, random)
        with _writer(config, 2) as writer:
            assert writer.wait(600 + CATCHES_UP_S * kills) == 0
    assert len(seen) > 10 * kills
    for answer in seen:
        assert _is_whole(answer), answer
    last = seen[-1]
    ids = [each for (each,) in _ask(settings, "SELECT snapshot_id FROM snapshots ORDER BY 1")]
    assert ids == last[0] == [id_of(number) for number in range(len(ids))]
    assert _ask(settings, "SELECT count(*) - count(DISTINCT (snapshot_id, event, subject)) FROM events") == [
        (0,)
    ]
    assert len(ids) >= 3
    assert _ask(settings, HISTORY) == [(len(ids), len(ids) - 1)]


def _kill(config: Path, random: Random) -> None:
    """Start a writer, and kill a part of it or all of it at some moment of its life."""
    with _writer(config, 1_000_000) as writer:
        python = psutil.Process(writer.pid)
        jvm = [each for each in python.children(recursive=True) if "java" in each.name()]
        dies_at = _cpu(python, *jvm) + random.uniform(0, LIFE)
        while _cpu(python, *jvm) < dies_at:
            time.sleep(0.02)
        victim = random.choice(VICTIMS)
        if victim != "its JVM":
            writer.kill()
        if victim != "the writer":
            for each in jvm:
                each.kill()
        writer.wait(60)


def _cpu(*processes: psutil.Process) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


@contextmanager
def _writer(config: Path, snapshots: int) -> Iterator["subprocess.Popen[str]"]:
    """A writer whose session is warm."""
    command = [sys.executable, "-m", "tests.jobs.process.writer", str(config), str(snapshots)]
    with (
        config.with_name("writer.log").open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as writer,
    ):
        assert writer.stdout
        try:
            assert writer.stdout.readline() == "ready\n", config.with_name("writer.log").read_text()
            yield writer
        finally:
            writer.kill()


@contextmanager
def _reader(settings: Settings) -> Iterator[list[tuple[Any, ...]]]:
    """Somebody who asks all the time; gives what was answered, the newest last."""
    answers: list[tuple[Any, ...]] = []
    ended = Event()

    def read() -> None:
        is_last = False
        while not is_last:
            is_last = ended.wait(PAUSE)
            with suppress(NoSnapshotError):
                answers.extend(_ask(settings, SEEN))

    with ThreadPoolExecutor() as pool:
        reading = pool.submit(read)
        try:
            yield answers
        finally:
            ended.set()
            reading.result()


def _is_whole(answer: tuple[Any, ...]) -> bool:
    """Whether all of an answer is of the newest snapshot that it names, and of every one before it."""
    snapshots, *now, history, events = answer
    numbers = range(len(snapshots))
    return (
        snapshots == [id_of(number) for number in numbers]
        and tuple(now) == NOW[numbers[-1] % 2]
        and history == len(snapshots)
        and (events or [])
        == [{"snapshot_id": id_of(number), "events": EVENTS[number % 2]} for number in numbers[1:]]
    )


def _ask(settings: Settings, sql: str) -> list[tuple[Any, ...]]:
    return open_reader(open_storage(settings.lake), ["orders"]).query(sql).rows
