"""A broker of Kafka 3.9.1 dies, and takes long to load its logs when it starts again."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from jobs.lab.distribution import quorum_status
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, live_brokers, produce

CHECK = "ghost-observer"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    with KRaftCluster(tmp_path_factory.mktemp("ghost-observer"), brokers=3) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 3]])
        produce(cluster.bootstrap_servers, "orders")
        yield cluster


@pytest.fixture(scope="module")
def watched(cluster: KRaftCluster, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return watch(cluster, tmp_path_factory.mktemp("watched"))


@pytest.fixture
def look(watched: Any, cluster: KRaftCluster) -> Any:
    """A snapshot over the Kafka API alone, which lists no fenced brokers; class and severity of each ghost."""

    def ghosts() -> dict[str, tuple[str, str]]:
        watched.look(("kafka",), bootstrap_servers=cluster.brokers[1].address)
        found = watched.found(CHECK)
        return {subject: (facts["ghost_class"], severity) for subject, (severity, facts) in found.items()}

    return ghosts


@contextmanager
def slow_to_load(log_dir: Path, partition: str) -> Iterator[None]:
    """The broker cannot go on loading its logs meanwhile: one of its checkpoints is a pipe that nobody fills."""
    checkpoint = log_dir / partition / "leader-epoch-checkpoint"
    content, filled = checkpoint.read_bytes(), Event()
    checkpoint.unlink()
    os.mkfifo(checkpoint)
    try:
        yield
    finally:
        Thread(target=_fill, args=(checkpoint, content, filled), daemon=True).start()
        filled.wait(60)


def _fill(pipe: Path, content: bytes, filled: Event) -> None:
    with pipe.open("wb") as opened:
        opened.write(content)
        pipe.unlink()
    pipe.write_bytes(content)
    filled.set()


def test_a_broker_that_died_goes_on_being_listed_and_is_dying(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    assert look() == {}
    cluster.kill_broker(2)
    wait_until("its silence", lambda: look() == {"node 2": ("dying", "info")}, [], 60)
    listed = quorum_status(cluster.version, cluster.bootstrap_controllers)
    assert '"id": 2' in listed.partition("CurrentObservers")[2]
    causes = watched.ask(
        "SELECT cause_check_id, cause_subject FROM findings WHERE check_id = 'ghost-observer'"
    )
    assert causes in ([("broker-down", "broker 2")], [(None, None)])
    shown = watched.run(
        CHECK, "describe --replication", {"BOOTSTRAP_CONTROLLERS": cluster.bootstrap_controllers}
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("Observer") == 3


def test_one_that_is_loading_its_logs_fetches_and_is_called_neither_zombie_nor_to_be_stopped(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    broker = cluster.brokers[2]
    with slow_to_load(cluster.log_dirs(2)[0], "orders-0"):
        broker.jvm.start()
        wait_until("fetches", lambda: look() != {"node 2": ("dying", "info")}, [broker.jvm], 60)
        assert look() == {"node 2": ("unknown", "info")}
        assert 2 not in live_brokers(cluster.brokers[1].address)
        (remedy,) = watched.ask("SELECT remedy FROM findings WHERE check_id = 'ghost-observer'")
        assert remedy[0].startswith("Do not stop a node because of this alone")
    cluster.wait_for_brokers((1, 2, 3))
    cluster.wait_until_in_sync()
    assert look() == {}
