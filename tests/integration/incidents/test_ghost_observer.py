"""Brokers of Kafka 3.9.1 that die, start for long, are unregistered while they run, and leave for good."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from kafka import TopicPartition
from kafka.admin import KafkaAdminClient

from jobs.lab.distribution import quorum_status
from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, live_brokers, produce, quorum_members
from tests.integration.checkpointing import CheckpointingCluster

CHECK = "ghost-observer"
SAFE = "roll of lab: safe now\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckpointingCluster]:
    with CheckpointingCluster(tmp_path_factory.mktemp("ghost-observer"), brokers=3) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 3]])
        produce(cluster.bootstrap_servers, "orders")
        yield cluster


@pytest.fixture(scope="module")
def watched(cluster: CheckpointingCluster, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return watch(cluster, tmp_path_factory.mktemp("watched"))


@pytest.fixture
def look(watched: Any, cluster: CheckpointingCluster) -> Any:
    """A snapshot, with log dirs or without; class and severity of each ghost."""

    def ghosts(*, log_dirs: bool = False) -> dict[str, tuple[str, str]]:
        sources = ("kafka", "log_dirs") if log_dirs else ("kafka",)
        watched.look(sources, bootstrap_servers=cluster.brokers[1].address)
        found = watched.found(CHECK)
        return {subject: (facts["ghost_class"], severity) for subject, (severity, facts) in found.items()}

    return ghosts


def gate(watched: Any) -> str:
    told: str = watched.shell("varve gate roll --broker 1").stdout
    return told


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


def _is_observed(cluster: CheckpointingCluster, broker_id: int) -> bool:
    return quorum_members(cluster.brokers[1].address).get(broker_id) == "observer"


def test_a_broker_that_died_goes_on_being_listed_and_is_dying(
    cluster: CheckpointingCluster, look: Any, watched: Any
) -> None:
    assert (look(), gate(watched)) == ({}, SAFE)
    cluster.kill_broker(2)
    wait_until("its silence", lambda: look() == {"node 2": ("dying", "info")}, [], 60)
    assert ("broker-fenced", "broker 2") in watched.ask("SELECT event, subject FROM events")
    assert "  broker 2 is not there or fenced, with 2 replicas" in gate(watched)
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
    cluster: CheckpointingCluster, look: Any, watched: Any
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
    assert (look(), gate(watched)) == ({}, SAFE)


def _log(cluster: CheckpointingCluster, broker_id: int) -> str:
    return cluster.brokers[broker_id].jvm.log.read_text(errors="replace")


def _assigned(watched: Any, broker_id: int) -> list[Any]:
    found: list[Any] = watched.ask(
        f"SELECT topic, partition FROM partitions WHERE list_contains(replicas, {broker_id})"
    )
    return found


def test_one_that_is_unregistered_while_it_runs_stays_out_until_it_is_restarted(
    cluster: CheckpointingCluster, look: Any, watched: Any
) -> None:
    """The page wants no partition of it and its process stopped: both fail here, and Kafka does it all the same."""
    assert _assigned(watched, 2) == [("orders", 0), ("orders", 1)]
    assert watched.run(CHECK, "kafka-cluster.sh unregister", subject="node 2").returncode == 0
    wait_until("it to be out", lambda: 2 not in live_brokers(cluster.brokers[1].address), [], 60)
    wait_until("a refused heartbeat", lambda: "STALE_BROKER_EPOCH" in _log(cluster, 2), [], 60)
    assert cluster.brokers[2].jvm.running
    assert _is_observed(cluster, 2)
    assert look() == {"node 2": ("unknown", "info")}
    assert look(log_dirs=True) == {"node 2": ("zombie", "warning")}, "a fresh checkpoint tells"
    cluster.brokers[2].jvm.kill()
    cluster.brokers[2].jvm.start()
    cluster.wait_for_brokers((1, 2, 3))
    cluster.wait_until_in_sync()
    assert look(log_dirs=True) == {}


def test_one_that_leaves_for_good_is_forgotten_and_unregistered_when_it_holds_nothing(
    cluster: CheckpointingCluster, look: Any, watched: Any
) -> None:
    """A leader that was elected since knows nothing of it, as after five minutes."""
    cluster.stop_broker(3)
    cluster.stop_controller(101)
    cluster.start_controller(101)
    cluster.wait_for_brokers((1, 2))
    look(log_dirs=True)
    assert look(log_dirs=True) == {"node 3": ("forgotten", "warning")}
    assert _assigned(watched, 3) == [("orders", 1)], (
        "the page's first precondition stops who would unregister it now"
    )
    _move(cluster, "orders", 1, [2, 1])
    wait_until("the move", lambda: _is_moved(watched, look), [], 60)
    assert watched.ask("SELECT fenced FROM brokers WHERE broker_id = 3") == [(True,)]
    done = watched.run(CHECK, "kafka-cluster.sh unregister", subject="node 3")
    assert done.returncode == 0, done.stderr
    wait_until("its end", lambda: _is_unregistered(watched, look), [], 60)
    assert watched.found("ghost-observer") == {}
    assert watched.ask("SELECT topic FROM partitions WHERE leader = -1") == []


def _is_moved(watched: Any, look: Any) -> bool:
    look(log_dirs=True)
    return not _assigned(watched, 3)


def _is_unregistered(watched: Any, look: Any) -> bool:
    look(log_dirs=True)
    return watched.ask("SELECT * FROM brokers WHERE broker_id = 3") == []


def _move(cluster: CheckpointingCluster, topic: str, partition: int, replicas: list[int]) -> None:
    admin = KafkaAdminClient(bootstrap_servers=cluster.brokers[1].address)
    try:
        admin.alter_partition_reassignments({TopicPartition(topic, partition): replicas})
    finally:
        admin.close()
