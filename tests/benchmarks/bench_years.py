"""What questions and snapshots cost after a year: the same cluster after 100, 1,000, 10,000 and 52,560 snapshots."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.process import process
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from tests.benchmarks import bench_process as made_up
from tests.benchmarks.bench_process import CLUSTER, settings_in
from tests.benchmarks.quiet_cluster import land_quiet
from tests.benchmarks.years import EVERY, Years

Record = Callable[[str, dict[str, float]], None]
FIRST = "20260101T000000Z"
SNAPSHOTS = (100, 1_000, 10_000, 52_560)
ONE_BY_ONE = 1_000
"""So many snapshots in a row had no upkeep but that of `process`."""
VARVE = """
import sys
from pathlib import Path
from jobs.cli import main
try:
    main(sys.argv[1:])
finally:
    (peak,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    print(peak.split()[1], file=sys.stderr)
"""
QUESTIONS = {
    "status": ["status"],
    "newest state": ["sql", "SELECT count(*) FROM partitions WHERE leader = 1"],
    "history of a topic": ["sql", "SELECT * FROM partitions_history WHERE topic = 'topic-7'"],
    "a month ago": ["sql", "SELECT count(*) FROM partitions_at(now() - INTERVAL 30 DAY)"],
    "report": ["report"],
}


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Settings]:
    """By the number of their snapshots, lakes of a cluster of 500 partitions and 1,500 replicas."""
    home = tmp_path_factory.mktemp("years")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("TOPICS", 50), ("PARTITIONS", 10), ("BROKERS", 3)):
            patch.setattr(made_up, name, value)
        first = settings_in(home / "first")
        land_quiet(first, FIRST)
        process(first, CLUSTER, FIRST)
        found = {}
        for snapshots in SNAPSHOTS:
            folder = home / str(snapshots)
            shutil.copytree(home / "first", folder)
            found[snapshots] = load_settings(folder / "varve.yaml")
            newest = Years(open_storage(found[snapshots].lake), CLUSTER).grow(snapshots)
            for turn in range(1, 6):
                land_quiet(found[snapshots], snapshot_id_at(logical_time(newest) + EVERY * turn))
    return found


def test_questions_after_years(lakes: dict[int, Settings], record: Record) -> None:
    """CPU seconds from process start, the best of three."""
    for question, words in QUESTIONS.items():
        cost = {snapshots: _cpu(settings, words) for snapshots, settings in lakes.items()}
        figures = {f"after {snapshots:,}, CPU s": cpu for snapshots, (cpu, _) in cost.items()}
        small = cost[1_000 if question == "report" else 100]
        figures["ratio of the last to the first"] = cost[SNAPSHOTS[-1]][0] / small[0]
        figures["peak MiB after a year"] = cost[SNAPSHOTS[-1]][1]
        record(f"after years: {question}", figures)


def test_questions_without_upkeep(lakes: dict[int, Settings], tmp_path: Path, record: Record) -> None:
    """CPU seconds from process start, the best of three, against the lake of the fewest snapshots."""
    home = tmp_path / "lake"
    shutil.copytree(lakes[SNAPSHOTS[0]].lake.parent.parent / "first", home)
    settings = load_settings(home / "varve.yaml")
    Years(open_storage(settings.lake), CLUSTER).grow(2 * ONE_BY_ONE, ONE_BY_ONE)
    for question in ("status", "newest state", "history of a topic"):
        kept, grown = (_cpu(each, QUESTIONS[question])[0] for each in (lakes[SNAPSHOTS[0]], settings))
        figures = {"after 100, CPU s": kept, "after 2,000, CPU s": grown, "ratio (at most 2)": grown / kept}
        record(f"{ONE_BY_ONE:,} snapshots without upkeep: {question}", figures)


def test_process_after_years(lakes: dict[int, Settings], record: Record) -> None:
    """In a warm session: the first two snapshots warm it up, the next three see what the one before saw."""
    figures = {}
    for snapshots, settings in lakes.items():
        storage = open_storage(settings.lake)
        newest = logical_time(Sight(storage, CLUSTER).newest.snapshot_id)
        ids = [snapshot_id_at(newest + EVERY * turn) for turn in range(1, 6)]
        of_each = made_up.processed(settings.lake.parent / "varve.yaml", CLUSTER, ids)
        figures[f"after {snapshots:,}, CPU s"] = min(cpu for _, cpu, *_ in of_each[2:])
    costs = list(figures.values())
    figures["ratio of the last to the first (at most 1.2)"] = costs[-1] / costs[0]
    record("after years: process, unchanged", figures)


def test_storage_after_years(lakes: dict[int, Settings], record: Record) -> None:
    """With everything on the disk."""
    for snapshots, settings in lakes.items():
        files = [path for path in settings.lake.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        record(f"after {snapshots:,} snapshots: storage", {"MiB": size / 2**20, "files": len(files)})


def test_process_of_200_000_partitions_after_a_year(tmp_path: Path, record: Record) -> None:
    """Two snapshots, one after the other, from process start; without the series of earlier ones, which are a billion rows."""
    settings = settings_in(tmp_path / "large")
    config = settings.lake.parent / "varve.yaml"
    land_quiet(settings, FIRST)
    made_up.processed(config, CLUSTER, [FIRST])
    newest = Years(open_storage(settings.lake), CLUSTER, with_series=False).grow(SNAPSHOTS[-1])
    ids = [snapshot_id_at(logical_time(newest) + EVERY * turn) for turn in (1, 2)]
    begun = time.perf_counter()
    for number, snapshot_id in enumerate(ids):
        land_quiet(settings, snapshot_id, out_of_isr=number)
    landed = (time.perf_counter() - begun) / len(ids)
    cold, warm = made_up.processed(config, CLUSTER, ids)
    begun = time.perf_counter()
    cpu, peak = _cpu(settings, QUESTIONS["newest state"])
    asked = (time.perf_counter() - begun) / 3
    record(
        "after a year: 200,000 partitions",
        {
            "landing made-up rows s": landed,
            "process from process start s": cold[0],
            "process from process start, CPU s": cold[1],
            "process, warm s": warm[0],
            "process, warm, CPU s": warm[1],
            "peak GiB of all processes (at most 6)": warm[2],
            "newest state by varve sql s (at most 0.6)": asked,
            "newest state by varve sql, CPU s": cpu,
            "newest state by varve sql, peak MiB": peak,
        },
    )


def _cpu(settings: Settings, words: list[str]) -> tuple[float, float]:
    """CPU seconds and peak MiB of a command."""
    environment = os.environ | {"VARVE_CONFIG": str(settings.lake.parent / "varve.yaml")}
    best = []
    for _ in range(3):
        before = os.times()
        told = subprocess.run(
            [sys.executable, "-c", VARVE, *words], env=environment, capture_output=True, text=True, check=True
        )
        now = os.times()
        cpu = now.children_user + now.children_system - before.children_user - before.children_system
        best.append((cpu, int(told.stderr.split()[-1]) / 1024))
    return min(best)
