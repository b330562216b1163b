"""Walking a tree of 200,000 znodes, landed, against kazoo's own `get` and `get_children`, one after the other."""

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
PLAIN_SECONDS = 8
COLLECT = """
import resource, sys, time
from pathlib import Path
from typing import Any
from jobs.landing import Landing
from jobs.redact import Redactor
from jobs.sources.zookeeper.collect import collect
from jobs.sources.zookeeper.settings import Settings
landing = Landing(Path(sys.argv[2]), "zookeeper", Redactor("key"))
begun = time.perf_counter()
collect(Settings(connect=sys.argv[1], max_reads_per_second=10**9), landing)
landing.flush()
seconds = time.perf_counter() - begun
print(landing.counts["znodes"] / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[str]:
    server = ZooKeeperServer(tmp_path / "zookeeper", "3.9.1")
    server.start()
    try:
        _grow(server.address)
        yield server.address
    finally:
        server.jvm.kill()


def test_walk_against_plain_kazoo(
    tree: str, tmp_path: Path, record: Callable[[str, dict[str, float]], None]
) -> None:
    plain = _plain(tree)
    rates = []
    for number in range(3):
        folder = tmp_path / f"landing-{number}"
        folder.mkdir()
        told = subprocess.check_output(
            [sys.executable, "-c", COLLECT, f"{tree}/kafka", str(folder)], text=True
        )
        rates.append([float(word) for word in told.split()])
    best, memory = max(rate for rate, _ in rates), max(memory for _, memory in rates)
    record(
        "zookeeper",
        {
            "landed_per_s": best,
            "plain_per_s": plain,
            "landed_over_plain": best / plain,
            "peak_memory_mb": memory,
        },
    )


def _grow(address: str) -> None:
    client = KazooClient(address)
    client.start()
    pending: deque[Any] = deque()
    for path, data in _paths():
        pending.append(client.create_async(path, data))
        if len(pending) > 1000:
            pending.popleft().get(60)
    for created in pending:
        created.get(60)
    client.stop()


def _paths() -> Iterator[tuple[str, bytes]]:
    for path in ("/kafka", "/kafka/brokers", "/kafka/brokers/topics"):
        yield path, b""
    assignment = ",".join(f'"{number}":[1,2,3]' for number in range(PARTITIONS))
    for number in range(TOPICS):
        topic = f"/kafka/brokers/topics/topic-{number:05d}"
        yield (
            topic,
            f'{{"partitions":{{{assignment}}},"topic_id":"vV5u0_NiSR-iJzmV8S97dg","version":3}}'.encode(),
        )
        yield f"{topic}/partitions", b""
        for partition in range(PARTITIONS):
            yield f"{topic}/partitions/{partition}", b""
            state = b'{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}'
            yield f"{topic}/partitions/{partition}/state", state


def _plain(address: str) -> float:
    """Znodes a second, one request after the other."""
    client = KazooClient(address)
    client.start()
    stack, seen, begun = ["/kafka"], 0, time.perf_counter()
    while stack and time.perf_counter() - begun < PLAIN_SECONDS:
        path = stack.pop()
        client.get(path)
        stack.extend(f"{path}/{child}" for child in client.get_children(path))
        seen += 1
    client.stop()
    return seen / (time.perf_counter() - begun)
