"""A controller that is frozen while its ZooKeeper session lives, one that has none, and one that comes back as a zombie."""

from collections.abc import Iterator
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.node import Node
from jobs.lab.topics import create_topic, partitions_of
from jobs.lab.zookeeper_mode import ZooKeeperCluster

CHECK = "no-controller"


class PatientCluster(ZooKeeperCluster):
    """Broker 1 keeps its session for ten minutes, so that it stays controller though it is frozen."""

    def _properties(self, node: Node) -> dict[str, str]:
        patient = {"zookeeper.session.timeout.ms": "600000"} if node.node_id == 1 else {}
        return super()._properties(node) | patient


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatientCluster]:
    with PatientCluster(tmp_path_factory.mktemp("frozen-controller"), log_dirs=1) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[2, 3, 1], [3, 2, 1], [3, 1, 2]])
        cluster.move_controller(1)
        yield cluster


@pytest.fixture(scope="module")
def watched(cluster: PatientCluster, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return watch(cluster, tmp_path_factory.mktemp("watched"))


def _registered(cluster: PatientCluster) -> list[int]:
    with cluster.client() as client:
        return sorted(int(each) for each in client.get_children("/brokers/ids"))


def _look(watched: Any, cluster: PatientCluster, *living: int) -> dict[tuple[str, str], Any]:
    """A snapshot that asks these brokers only: a client waits for a frozen one. The check's findings with their subjects."""
    servers = ",".join(cluster.brokers[broker_id].address for broker_id in living)
    watched.look(("zookeeper", "kafka") if living else ("zookeeper",), bootstrap_servers=servers)
    return {(CHECK, subject): found for subject, found in watched.found(CHECK).items()}


def test_a_frozen_controller_is_found_by_what_it_leaves_undone_and_deleting_its_znode_cures(
    cluster: PatientCluster, watched: Any, frozen: Any
) -> None:
    assert _look(watched, cluster, 1, 2, 3) == {}
    with frozen(cluster.brokers[1].jvm):
        cluster.brokers[2].jvm.kill()
        wait_until("broker 2 to be gone", lambda: _registered(cluster) == [1, 3], [], 60)
        assert _look(watched, cluster, 3) == {}, "it may have gone a moment ago"
        assert ("broker-left", "broker 2") in watched.events()
        severity, evidence = _look(watched, cluster, 3)[CHECK, "controller"]
        assert (severity, evidence["state"]) == ("critical", "does not act")
        assert (evidence["controller_id"], evidence["leads_though_gone"]) == (1, [2])
        severity, evidence = watched.found("offline-partition")["orders-0"]
        assert (severity, evidence["why"], evidence["leader"]) == ("critical", "dead leader", 2)

        assert watched.ask("SELECT subject FROM findings WHERE check_id LIKE 'topic-id-%'") == []
        assert '"brokerid":1' in watched.run(CHECK, "get /controller").stdout
        assert "[1, 3]" in watched.run(CHECK, "ls /brokers/ids").stdout
        deleted = watched.run(CHECK, "delete /controller")
        assert deleted.returncode == 0, deleted.stdout + deleted.stderr
        wait_until("broker 3 to rule", lambda: cluster.controller_id() == 3, [], 60)
        wait_until("new leaders", lambda: 2 not in _leaders(cluster, 3), [], 60)
        assert _look(watched, cluster, 3) == {}
        assert ("controller-moved", "controller") in watched.events()
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    assert cluster.controller_id() == 3, "who was frozen steps back"
    assert _look(watched, cluster, 1, 2, 3) == {}


def test_without_another_living_broker_the_znode_must_stay(
    cluster: PatientCluster, watched: Any, frozen: Any
) -> None:
    """The page asks for another broker in /brokers/ids: without one nobody is elected, and nothing is won."""
    cluster.move_controller(1)
    with frozen(cluster.brokers[1].jvm):
        for broker_id in (2, 3):
            cluster.brokers[broker_id].jvm.kill()
        wait_until("brokers 2 and 3 to be gone", lambda: _registered(cluster) == [1], [], 60)
        assert watched.run(CHECK, "ls /brokers/ids").stdout.strip().endswith("[1]")
        assert watched.run(CHECK, "delete /controller").returncode == 0
        severity, evidence = _look(watched, cluster)[CHECK, "controller"]
        assert (severity, evidence["state"]) == ("warning", "none is elected")
        assert _look(watched, cluster)[CHECK, "controller"][0] == "critical"
    for broker_id in (2, 3):
        cluster.brokers[broker_id].jvm.start()
    cluster.wait_for_brokers((1, 2, 3))
    cluster.wait_until_in_sync()
    assert _look(watched, cluster, 1, 2, 3) == {}


def test_a_controller_that_was_frozen_beyond_its_session_is_replaced_and_comes_back_as_a_broker(
    cluster: PatientCluster, watched: Any, frozen: Any
) -> None:
    lost = cluster.move_controller(2, 3)
    others = sorted({1, 2, 3} - {lost})
    assert _look(watched, cluster, 1, 2, 3) == {}
    with frozen(cluster.brokers[lost].jvm):
        wait_until("another controller", lambda: cluster.controller_id() != lost, [], 120)
        wait_until("its registration to go", lambda: _registered(cluster) == others, [], 120)
        wait_until("new leaders", lambda: lost not in _leaders(cluster, 1), [], 120)
        assert _look(watched, cluster, *others) == {}
        assert watched.events() >= {("controller-moved", "controller"), ("broker-left", f"broker {lost}")}
    cluster.wait_for_brokers((1, 2, 3))
    cluster.wait_until_in_sync()
    assert cluster.controller_id() != lost
    assert _look(watched, cluster, 1, 2, 3) == {}
    assert watched.events() >= {("broker-joined", f"broker {lost}")}
    assert ("controller-moved", "controller") not in watched.events()


def _leaders(cluster: PatientCluster, asked: int) -> set[int]:
    told = partitions_of(cluster.brokers[asked].address, "orders")
    return {partition["leader_id"] for partition in told.values()}
