"""A writer that is killed (`kill -9`) again and again, while somebody reads."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psutil
import pytest

from jobs.settings import load_settings
from tests.jobs.process.onlooker import ask, is_whole, onlooker
from tests.jobs.process.writer import id_of

KILLS = int(os.environ.get("VARVE_SOAK_KILLS", "200"))
LIFE = 45
"""Seconds of its CPU, from when it has a session, within which a writer is killed. After half of them it has rarely committed
more than one snapshot, so most writers begin with what those before them left."""
CATCHES_UP_S = 30
"""Within so many seconds for each kill the last writer has finished what the killed ones left: a snapshot each at most."""
VICTIMS = ("the writer", "its JVM", "both")
HISTORY = (
    "SELECT count(*), count(*) FILTER (valid_to = next) FROM (SELECT valid_to, lead(valid_from) OVER "
    "(ORDER BY valid_from) AS next FROM partitions_history WHERE topic = 'audit' AND partition = 1)"
)
"""How often a partition changed, and how often a change follows the one before without a hole."""


@pytest.fixture(params=["in a folder", pytest.param("in S3", marks=pytest.mark.cluster)])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The varve.yaml of a lake."""
    request.getfixturevalue("healthy_first" if request.param == "in a folder" else "in_s3")
    path = tmp_path / ("varve.yaml" if request.param == "in a folder" else "in_s3.yaml")
    path.write_text(path.read_text() + "history: {era_rows: 1}\n")
    return path


@pytest.mark.parametrize("kills", [2, pytest.param(KILLS, marks=pytest.mark.soak, id="many")])
def test_a_writer_that_is_killed_loses_nothing_and_shows_no_half_snapshot(config: Path, kills: int) -> None:
    settings, random = load_settings(config), Random(kills)
    with onlooker(settings) as seen:
        for _ in range(kills):
            _kill(config, random)
        with _writer(config, 3) as writer:
            assert writer.wait(600 + CATCHES_UP_S * kills) == 0
    assert len(seen) > 5 * kills
    for answer in seen:
        assert is_whole(answer), answer
    last = seen[-1]
    ids = [each for (each,) in ask(settings, "SELECT snapshot_id FROM snapshots ORDER BY 1")]
    assert ids == last[0] == [id_of(number) for number in range(len(ids))]
    assert ask(settings, "SELECT count(*) - count(DISTINCT (snapshot_id, event, subject)) FROM events") == [
        (0,)
    ]
    assert len(ids) >= 3
    assert ask(settings, HISTORY) == [(len(ids), len(ids) - 1)]


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
