"""A ZooKeeper that is not there, goes away or hangs: a sentence within a bounded time, never a hang."""

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kazoo.client import KazooClient

from jobs.errors import NotReadError
from jobs.sources.zookeeper.probe import probe
from jobs.sources.zookeeper.settings import Settings

SLOW = 500


@pytest.fixture
def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        yield bound.getsockname()[1]


@pytest.fixture
def full_zookeeper(mortal_zookeeper: Any) -> Any:
    """With a tree that takes seconds to walk at the rate SLOW."""
    client = KazooClient(mortal_zookeeper.connect)
    client.start()
    client.create("/kafka")
    for answer in [client.create_async(f"/kafka/{number}", b"") for number in range(1_500)]:
        answer.get(timeout=30)
    client.stop()
    client.close()
    return mortal_zookeeper


def after(seconds: float, action: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


def test_an_unreachable_ensemble_is_told_by_its_hosts_in_time_and_quietly(
    free_port: int, collected: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    started = time.monotonic()

    with pytest.raises(
        NotReadError, match=f"127.0.0.1:{free_port}.*check that its host name is right and it runs"
    ) as caught:
        collected(f"127.0.0.1:{free_port}/kafka", timeout_s=1)

    assert caught.value.reason == "unreachable"
    assert time.monotonic() - started < 4
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_server_that_never_answers_is_unreachable(silent_port: int, collected: Callable[..., Any]) -> None:
    started = time.monotonic()

    with pytest.raises(NotReadError, match="gave a session within 1 s"):
        collected(f"127.0.0.1:{silent_port}/kafka", timeout_s=1)

    assert time.monotonic() - started < 4


def test_a_host_without_an_address_is_unreachable(collected: Callable[..., Any]) -> None:
    with pytest.raises(NotReadError, match=r"zookeeper\.invalid:2181"):
        collected("zookeeper.invalid:2181/kafka", timeout_s=1)


def test_doctor_says_that_nothing_answers(free_port: int) -> None:
    settings = Settings(connect=f"127.0.0.1:{free_port}/kafka", timeout_s=1)

    (answer,) = probe(settings)

    assert (answer.what, answer.ok) == (f"ZooKeeper 127.0.0.1:{free_port}", False)


def test_a_server_killed_half_way_makes_the_source_unavailable(
    full_zookeeper: Any, collected: Callable[..., Any]
) -> None:
    after(1, full_zookeeper.stop)

    with pytest.raises(NotReadError) as caught:
        collected(f"{full_zookeeper.connect}/kafka", timeout_s=2, max_reads_per_second=SLOW)

    assert caught.value.reason == "unreachable"


def test_a_server_that_restarts_half_way_is_walked_again_from_the_start(
    full_zookeeper: Any, collected: Callable[..., Any]
) -> None:
    def restart() -> None:
        full_zookeeper.stop()
        full_zookeeper.start()

    restarting = after(1, restart)
    landed = collected(f"{full_zookeeper.connect}/kafka", timeout_s=30, max_reads_per_second=SLOW)
    restarting.join()

    assert len(landed.rows) == 1_501
    assert landed.gaps == set()


def test_a_server_that_hangs_half_way_makes_the_source_unavailable_in_time(
    full_zookeeper: Any, collected: Callable[..., Any]
) -> None:
    after(1, lambda: os.kill(full_zookeeper.process.pid, signal.SIGSTOP))
    started = time.monotonic()

    with pytest.raises(NotReadError):
        collected(f"{full_zookeeper.connect}/kafka", timeout_s=2, max_reads_per_second=SLOW)

    assert time.monotonic() - started < 15
