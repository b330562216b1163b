"""What a lake in S3 costs beside one in a folder: seconds, CPU seconds and requests, each pair measured in one run.

The S3 server is that of the tests, or the one that VARVE_TEST_S3 names, behind a proxy that counts. Where it says so, the
proxy makes each request 30 ms longer, as one to a store in the same region is.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.process import process
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from jobs.upkeep.turns import TURNS
from tests.benchmarks import bench_process as made_up
from tests.benchmarks.bench_process import CLUSTER, settings_in
from tests.benchmarks.quiet_cluster import land_quiet
from tests.benchmarks.years import EVERY, Years
from tests.s3_proxy import Request, S3Proxy, s3_proxy
from tests.s3_server import S3Server

Record = Callable[[str, dict[str, float]], None]
FIRST = "20260101T000000Z"
SNAPSHOTS = 10_000
ONE_TABLE = ["sql", "SELECT count(*) FROM partitions WHERE leader = 1"]
OUT_OF_ISR = (None, None, 3, 3, 5, 5, 7, 7, *[7] * TURNS, 7)
"""Of each snapshot the partition that lacks a replica: first every other one changes something. The first four warm up, in
those at the end each table has its turn to be tidied, and the last one is processed by a process of its own.
"""
DELAY_S = 0.03


@pytest.fixture(scope="module")
def proxy(s3: S3Server) -> Iterator[S3Proxy]:
    with s3_proxy(s3.endpoint) as proxy:
        s3.endpoint = proxy.endpoint
        yield proxy


@pytest.fixture(autouse=True)
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster of 500 partitions and 1,500 replicas."""
    for name, value in (("TOPICS", 50), ("PARTITIONS", 10), ("BROKERS", 3)):
        monkeypatch.setattr(made_up, name, value)


def test_questions_after_many_snapshots(s3: S3Server, proxy: S3Proxy, tmp_path: Path, record: Record) -> None:
    """From process start to the answer: the first one on a host, and the best of three after it."""
    folder = settings_in(tmp_path / "folder")
    land_quiet(folder, FIRST)
    process(folder, CLUSTER, FIRST)
    Years(open_storage(folder.lake), CLUSTER).grow(SNAPSHOTS)
    in_s3 = _settings_in_s3(s3, tmp_path / "s3", folder)
    _upload(folder, in_s3)
    for question, words in (
        ("sql of one table", ONE_TABLE),
        ("status", ["status"]),
        ("diff", ["diff", "-2h"]),
    ):
        figures = {}
        for delay_s, told in ((0.0, ""), (DELAY_S, ", 30 ms a request")):
            proxy.delay_s = delay_s
            cache = tmp_path / f"{question}{delay_s}"
            proxy.reset()
            cold = _asked(in_s3, words, cache)
            figures[f"cold s{told}"], figures["cold requests"] = cold[0], len(proxy.requests)
            proxy.reset()
            warm = min(_asked(in_s3, words, cache) for _ in range(3))
            figures[f"warm s{told}"], figures["warm requests"] = warm[0], len(proxy.requests) / 3
            figures[f"warm CPU s{told}"] = warm[1]
        in_folder = min(_asked(folder, words, tmp_path / "none") for _ in range(3))
        figures["folder s"], figures["folder CPU s"] = in_folder
        record(f"S3 after {SNAPSHOTS:,} snapshots: {question}", figures)


@pytest.mark.parametrize("delay_s", [0.0, DELAY_S])
def test_process_in_a_warm_session(
    s3: S3Server, proxy: S3Proxy, tmp_path: Path, record: Record, delay_s: float
) -> None:
    ids = [snapshot_id_at(logical_time(FIRST) + EVERY * turn) for turn in range(len(OUT_OF_ISR))]
    folder = settings_in(tmp_path / "folder")
    in_s3 = _settings_in_s3(s3, tmp_path / "s3", folder)
    proxy.delay_s = 0.0
    for settings in (folder, in_s3):
        proxy.reset()
        for snapshot_id, out_of_isr in zip(ids, OUT_OF_ISR, strict=True):
            land_quiet(settings, snapshot_id, out_of_isr)
    landed, landed_bytes = len(proxy.requests) / len(ids), proxy.bytes_up / len(ids)
    *warm, last = ids
    of_folder = made_up.processed(tmp_path / "folder" / "varve.yaml", CLUSTER, warm)
    proxy.delay_s = delay_s
    proxy.reset()
    of_s3 = made_up.processed(tmp_path / "s3" / "varve.yaml", CLUSTER, warm)
    requests = _of_each(proxy.requests)
    figures: dict[str, float] = {}
    figures["landing, requests"], figures["landing, KB"] = landed, landed_bytes / 1e3
    figures["first, requests"] = len(requests[0])
    proxy.reset()
    made_up.processed(tmp_path / "s3" / "varve.yaml", CLUSTER, [last])
    for kind, count in sorted(proxy.kinds.items()):
        figures[f"unchanged, by a new process, {kind}"] = count
    figures["unchanged, by a new process, requests"] = len(proxy.requests)
    figures["unchanged, by a new process, KB up"] = proxy.bytes_up / 1e3
    figures["unchanged, by a new process, KB down"] = proxy.bytes_down / 1e3
    for what, turns in (("changed", (4, 6)), ("unchanged", (5, 7))):
        wall, folder_wall = (min(each[turn][0] for turn in turns) for each in (of_s3, of_folder))
        figures[f"{what} s"], figures[f"{what} in a folder s"] = wall, folder_wall
        figures[f"{what}, over a folder (at most 2)"] = wall / folder_wall
        cpu, folder_cpu = (min(each[turn][1] for turn in turns) for each in (of_s3, of_folder))
        figures[f"{what} CPU s"], figures[f"{what} in a folder CPU s"] = cpu, folder_cpu
        figures[f"{what}, requests"] = max(len(requests[turn]) for turn in turns)
    tidied = [len(each) for each in requests[-TURNS:]]
    figures["unchanged while all is tidied, requests, mean"] = sum(tidied) / TURNS
    figures["unchanged while all is tidied, requests, most"] = max(tidied)
    record(f"process with S3, {delay_s * 1000:.0f} ms a request more", figures)


def _of_each(requests: list[Request]) -> list[list[Request]]:
    """The requests of each snapshot: the first is for its lease."""
    begin = [n for n, each in enumerate(requests) if each.kind == "GET" and each.key.endswith("/writer.lock")]
    ends = [*begin[1:], len(requests)]
    return [requests[begin:end] for begin, end in zip(begin, ends, strict=True)]


def _settings_in_s3(s3: S3Server, home: Path, folder: Settings) -> Settings:
    """The settings of the same cluster, whose lake is in S3."""
    home.mkdir()
    written = yaml.safe_load((folder.lake.parent / "varve.yaml").read_text())
    written["lake"] = s3.place().url
    (home / "varve.yaml").write_text(yaml.safe_dump(written) + s3.storage_settings())
    return load_settings(home / "varve.yaml")


def _upload(folder: Settings, in_s3: Settings) -> None:
    here, there = open_storage(folder.lake), open_storage(in_s3.lake)
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda path: there.write(path, here.read(path)), here.list(CLUSTER)):
            pass


def _asked(settings: Settings, words: list[str], cache: Path) -> tuple[float, float]:
    """Seconds and CPU seconds of a command, whose copies of files are in a folder."""
    config = cache.parent / ("folder" if isinstance(settings.lake, Path) else "s3") / "varve.yaml"
    environment = os.environ | {"VARVE_CONFIG": str(config), "XDG_CACHE_HOME": str(cache)}
    begun, before = time.perf_counter(), os.times()
    command = [sys.executable, "-c", "from jobs.cli import main; main()", *words]
    subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    now = os.times()
    cpu = now.children_user + now.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, cpu
