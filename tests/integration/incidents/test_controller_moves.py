"""Controllers and brokers come and go: terms, sessions, what each change did, and when the controller may move."""

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, live_brokers, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.incidents.losing import Losing

SAFE = "controller-move of lab: safe now\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeperCluster]:
    with ZooKeeperCluster(tmp_path_factory.mktemp("controllers"), log_dirs=1) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
        produce(cluster.bootstrap_servers, "orders")
        cluster.wait_until_in_sync()
        yield cluster


@pytest.fixture(scope="module")
def watched(
    cluster: ZooKeeperCluster,
    spark: SparkSession,
    tmp_path_factory: pytest.TempPathFactory,
) -> Losing:
    watched = Losing(cluster, tmp_path_factory.mktemp("watched"), spark)
    watched.look()
    return watched


def move(watched: Losing) -> str:
    return watched.gate("controller-move")


def events(watched: Losing) -> set[tuple[Any, ...]]:
    """What happened before the last snapshot: event, subject and reason."""
    newest = "(SELECT max(snapshot_id) FROM snapshots)"
    return set(watched.ask(f"SELECT event, subject, reason FROM events WHERE snapshot_id = {newest}"))


def elect(cluster: ZooKeeperCluster, broker_id: int) -> None:
    cluster.delete_controller()
    while cluster.controller_id() != broker_id:
        cluster.delete_controller()


def test_elections_between_two_snapshots_are_counted_and_move_nothing_else(
    cluster: ZooKeeperCluster, watched: Losing
) -> None:
    assert (watched.incidents(), move(watched)) == ({}, SAFE)
    ((first, epoch),) = watched.ask("SELECT controller_id, epoch FROM controllers")
    cluster.delete_controller()
    elect(cluster, first)
    now = epoch_of(cluster)
    watched.look()
    assert events(watched) == {
        ("controller-reelected", "controller", None),
        ("elections-missed", "controller", None),
    }
    terms = (
        "SELECT controller_id, epoch, ruled_until IS NULL, elections_missed FROM terms ORDER BY ruled_since"
    )
    assert watched.ask(terms) == [(first, epoch, False, None), (first, now, True, now - epoch - 1)]
    assert (watched.incidents(), move(watched)) == ({}, SAFE)


def test_a_restart_between_two_snapshots_is_another_session(
    cluster: ZooKeeperCluster, watched: Losing
) -> None:
    restarted = next(each for each in cluster.brokers if each != cluster.controller_id())
    cluster.stop_broker(restarted)
    cluster.start_broker(restarted)
    cluster.wait_until_in_sync()
    watched.look()
    led = f"orders-{restarted - 1}"
    assert events(watched) == {
        ("broker-bounced", f"broker {restarted}", None),
        ("leader-moved", led, "broker-bounced"),
    }
    sessions = f"SELECT began, ended FROM sessions WHERE broker_id = {restarted} ORDER BY up_since"
    assert watched.ask(sessions) == [(None, "bounced"), ("bounced", None)]
    watched.printed("leader-imbalance", "--election-type preferred")
    watched.look()
    assert events(watched) == {("leader-moved", led, "preferred-election")}
    assert (watched.incidents(), move(watched)) == ({}, SAFE)


def test_a_controller_that_was_cut_off_is_replaced_and_fenced_and_the_gate_waits_for_it(
    cluster: ZooKeeperCluster, watched: Losing, frozen: Any
) -> None:
    elect(cluster, 3)
    watched.look()
    with frozen(cluster.brokers[3].jvm):
        wait_until("another controller", lambda: rules(cluster) in (1, 2), [], 60)
        wait_until("new leaders", lambda: leaders(cluster, 1) == {1, 2}, [], 60)
        watched.look(bootstrap_servers=",".join(cluster.brokers[each].address for each in (1, 2)))
        assert events(watched) == {
            ("controller-moved", "controller", None),
            ("broker-left", "broker 3", None),
            ("leader-moved", "orders-2", "broker-left"),
            *(("isr-shrank", f"orders-{number}", "broker-left") for number in range(3)),
        }
        assert watched.incidents() == {("broker-down", "broker 3"): "warning"}
        assert "  broker 3 is not there or fenced, with 3 replicas" in move(watched)
    wait_until("it to be back", lambda: live_brokers(cluster.brokers[1].address) == {1, 2, 3}, [], 60)
    cluster.wait_until_in_sync()
    assert rules(cluster) in (1, 2), "the epoch fences who ruled before"
    watched.printed("leader-imbalance", "--election-type preferred")
    watched.look()
    assert ("broker-joined", "broker 3", None) in events(watched)
    assert not any(event.startswith("controller") for event, _, _ in events(watched))
    assert (watched.incidents(), move(watched)) == ({}, SAFE)


def epoch_of(cluster: ZooKeeperCluster) -> int:
    with cluster.client() as client:
        return int(client.get("/controller_epoch")[0])


def rules(cluster: ZooKeeperCluster) -> int | None:
    with cluster.client() as client:
        return cluster.controller_id() if client.exists("/controller") else None


def leaders(cluster: ZooKeeperCluster, asked: int) -> set[int]:
    told = partitions_of(cluster.brokers[asked].address, "orders")
    return {partition["leader_id"] for partition in told.values()}
