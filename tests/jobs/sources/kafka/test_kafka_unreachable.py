import logging
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.collect import collect
from jobs.sources.kafka.connection.client import KafkaClient
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.probe import broker_configs, probe
from jobs.sources.kafka.settings import Settings
from jobs.storage import open_storage


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


def test_a_cluster_that_does_not_answer_is_named_in_time_and_in_silence(
    tmp_path: Path, nobody: str, caplog: pytest.LogCaptureFixture
) -> None:
    started = time.monotonic()
    with caplog.at_level(logging.WARNING), pytest.raises(NotReadError) as error:
        collect(
            Settings(bootstrap_servers=nobody, timeout_s=0.5),
            Landing(open_storage(tmp_path), "kafka", Redactor(None)),
        )
    assert str(error.value) == (
        f"No Kafka broker answers at {nobody} within 0.5 s ({nobody}: Connection refused): "
        "check bootstrap_servers in varve.yaml, and that one can be reached from here."
    )
    assert error.value.reason == "unreachable"
    assert time.monotonic() - started < 5
    assert caplog.records == []


def test_a_name_that_no_host_can_have_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        NotReadError, match=r"No Kafka broker answers at b1\.\.lan:9092 .*no legal name of a host"
    ):
        collect(
            Settings(bootstrap_servers="b1..lan:9092", timeout_s=0.5),
            Landing(open_storage(tmp_path), "kafka", Redactor(None)),
        )


def test_doctor_hears_it_too(nobody: str) -> None:
    (told,) = probe(Settings(bootstrap_servers=nobody, timeout_s=0.5))
    assert (told.what, told.ok) == (f"Kafka at {nobody}", False)


def test_doctor_asks_brokers_that_are_silent_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent, ThreadPoolExecutor(1) as doctor:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        client = KafkaClient(Servers([address], Identity(None, None), 3))
        client.know(dict.fromkeys(range(6), address))
        told = doctor.submit(broker_configs, client, list(range(6)))
        connections = [silent.accept()[0] for _ in range(7)]
        assert [_has_ended(connection) for connection in connections] == [False] * 7
        assert (told.result().ok, told.result().message[:20]) == (False, "7 of 7 not readable.")


def _has_ended(connection: socket.socket) -> bool:
    connection.recv(4096)
    connection.setblocking(False)
    try:
        return connection.recv(4096) == b""
    except BlockingIOError:
        return False
