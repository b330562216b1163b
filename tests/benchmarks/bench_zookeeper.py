"""Walking a tree of 200,000 znodes, landed, against kazoo: one read after the other, and many in flight."""

import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kazoo.client import KazooClient

from jobs.lab.zookeeper_mode import ZooKeeperServer

TOPICS, PARTITIONS = 2_000, 49
SECONDS = 8
IN_FLIGHT = 1_000
COLLECT = """
import resource, sys, time
from pathlib import Path
from typing import Any
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.zookeeper.collect import collect
from jobs.sources.zookeeper.settings import Settings
from jobs.storage import open_storage
landing = Landing(open_storage(Path(sys.argv[2])), "zookeeper", Redactor("key"))
begun = time.perf_counter()
collect(Settings(connect=sys.argv[1], max_reads_per_second=10**9), landing)
landing.flush()
seconds = time.perf_counter() - begun
print(landing.counts["znodes"] / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


Record = Callable[[str, dict[str, float]], None]


@pytest.fixture
def ensemble(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A server of that Kafka version with two trees, /large of about 200,000 znodes and /small of a tenth."""
    server = ZooKeeperServer(tmp_path / "zookeeper", request.param)
    server.start()
    try:
        _grow(server.address, "/small", TOPICS // 10)
        _grow(server.address, "/large", TOPICS)
        yield server.address
    finally:
        server.jvm.kill()


@pytest.mark.parametrize("ensemble", ["3.9.1"], indirect=True)
def test_walk_against_kazoo(ensemble: str, tmp_path: Path, record: Record) -> None:
    plain, pipelined = _plain(f"{ensemble}/large"), _pipelined(f"{ensemble}/large")
    large, memory = _landed(f"{ensemble}/large", tmp_path)
    small, _ = _landed(f"{ensemble}/small", tmp_path)
    figures = {
        "landed_per_s": large,
        "plain_per_s": plain,
        "pipelined_per_s": pipelined,
        "landed_over_plain": large / plain,
        "landed_over_pipelined": large / pipelined,
        "time_of_ten_times_the_znodes": 10 * small / large,
        "peak_memory_mb": memory,
    }
    record("zookeeper", figures)


@pytest.mark.parametrize("ensemble", ["2.8.2"], indirect=True)
def test_fall_back_against_kazoo_async(ensemble: str, tmp_path: Path, record: Record) -> None:
    """ZooKeeper 3.5 knows no multi-read."""
    pipelined = _pipelined(f"{ensemble}/small")
    landed, _ = _landed(f"{ensemble}/small", tmp_path)
    figures = {"landed_per_s": landed, "pipelined_per_s": pipelined}
    record("zookeeper 3.5", figures | {"landed_over_pipelined": landed / pipelined})


def _landed(connect: str, folder: Path) -> tuple[float, float]:
    """Znodes a second landed, the best of three, and the most memory in MB."""
    told = []
    for number in range(3):
        landing = folder / f"{connect.rpartition('/')[2]}-{number}"
        landing.mkdir()
        output = subprocess.check_output([sys.executable, "-c", COLLECT, connect, str(landing)], text=True)
        told.append([float(word) for word in output.split()])
    return max(rate for rate, _ in told), max(memory for _, memory in told)


def _grow(address: str, root: str, topics: int) -> None:
    client = KazooClient(address)
    client.start()
    pending: deque[Any] = deque()
    for path, data in _paths(root, topics):
        pending.append(client.create_async(path, data))
        if len(pending) > IN_FLIGHT:
            pending.popleft().get(60)
    for created in pending:
        created.get(60)
    client.stop()


def _paths(root: str, topics: int) -> Iterator[tuple[str, bytes]]:
    for path in (root, f"{root}/brokers", f"{root}/brokers/topics"):
        yield path, b""
    assignment = ",".join(f'"{number}":[1,2,3]' for number in range(PARTITIONS))
    for number in range(topics):
        topic = f"{root}/brokers/topics/topic-{number:05d}"
        yield (
            topic,
            f'{{"partitions":{{{assignment}}},"topic_id":"vV5u0_NiSR-iJzmV8S97dg","version":3}}'.encode(),
        )
        yield f"{topic}/partitions", b""
        for partition in range(PARTITIONS):
            yield f"{topic}/partitions/{partition}", b""
            state = b'{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}'
            yield f"{topic}/partitions/{partition}/state", state


def _plain(connect: str) -> float:
    """Znodes a second, one request after the other."""
    client = KazooClient(connect)
    client.start()
    stack, seen, begun = [""], 0, time.perf_counter()
    while stack and time.perf_counter() - begun < SECONDS:
        path = stack.pop()
        client.get(path or "/")
        stack.extend(f"{path}/{child}" for child in client.get_children(path or "/"))
        seen += 1
    client.stop()
    return seen / (time.perf_counter() - begun)


def _pipelined(connect: str) -> float:
    """Znodes a second by kazoo's own asynchronous calls, many in flight."""
    client = KazooClient(connect)
    client.start()
    stack, flying, seen, begun = [""], deque[Any](), 0, time.perf_counter()
    while (stack or flying) and time.perf_counter() - begun < SECONDS:
        while stack and len(flying) < IN_FLIGHT:
            path = stack.pop()
            data = client.get_async(path or "/")
            flying.append((path, data, client.get_children_async(path or "/")))
        path, data, children = flying.popleft()
        data.get(60)
        stack.extend(f"{path}/{child}" for child in children.get(60))
        seen += 1
    client.stop()
    return seen / (time.perf_counter() - begun)
