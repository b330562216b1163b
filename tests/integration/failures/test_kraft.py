"""A quorum that lost its majority, a log dir that is not mounted and a host that refuses SSH, all in one snapshot."""

from collections.abc import Iterator
from typing import Any

import pytest

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.ports import HOST, free_port
from jobs.lab.topics import create_topic

HEALTHY, PARTIAL = "20261121T140000Z", "20261121T141000Z"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    """Three controllers, all of them voters from the start as before Kafka 3.9, and two brokers."""
    with KRaftCluster(
        tmp_path_factory.mktemp("quorum"), controllers=3, brokers=2, version="3.3.2"
    ) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 1]])
        yield cluster


@pytest.fixture(scope="module")
def watched(cluster: KRaftCluster, watch: Any) -> Any:
    """A lake with a snapshot of everything."""
    watched = watch(cluster.settings("lab"))
    watched.entry["kafka"]["timeout_s"] = 5
    told = watched.snapshot(HEALTHY)
    assert all("complete" in each.out for each in told.values()), [each.all for each in told.values()]
    return watched


@pytest.fixture(scope="module")
def leader(watched: Any) -> int:
    ((leader_id,),) = watched.ask("SELECT leader_id FROM quorum", HEALTHY)
    return int(leader_id)


@pytest.fixture(scope="module")
def refused_host() -> str:
    """An address where no sshd listens."""
    return f"varve@{HOST}:{free_port()}"


@pytest.fixture(scope="module")
def told(cluster: KRaftCluster, watched: Any, leader: int, refused_host: str) -> Any:
    """What was told when the leader and another controller were killed, the leader's disk and broker 2's SSH gone."""
    other = next(node_id for node_id in cluster.controllers if node_id != leader)
    for node_id in (other, leader):
        cluster.controllers[node_id].jvm.kill()
    (log_dir,) = cluster.log_dirs(leader)
    log_dir.rename(log_dir.with_name("unmounted"))
    (entry,) = (entry for entry in watched.entry["log_dirs"] if entry["broker"] == 2)
    entry |= {"ssh": refused_host, "paths": entry.pop("local")}
    return watched.snapshot(PARTIAL)


def test_a_quorum_without_a_leader_is_told_with_what_to_do(told: Any) -> None:
    kafka = told["kafka"]
    assert kafka.code == 0
    assert "/quorum (unreachable): Kafka did not return the state of the metadata quorum" in kafka.err
    assert "kafka-metadata-quorum.sh --bootstrap-controller" in kafka.err


def test_a_log_dir_that_is_not_mounted_is_told_with_its_path(
    told: Any, cluster: KRaftCluster, leader: int
) -> None:
    log_dirs, (gone,) = told["log_dirs"], cluster.log_dirs(leader)
    assert log_dirs.code == 0
    assert f"There is no log dir {gone} of broker {leader}" in log_dirs.err
    assert "whether the disk is mounted" in log_dirs.err


def test_a_host_that_refuses_ssh_is_told_by_its_name(told: Any, refused_host: str) -> None:
    assert f"{refused_host} cannot be read over SSH (" in told["log_dirs"].err
    assert "check that the host and its sshd are up" in told["log_dirs"].err


@pytest.mark.usefixtures("told")
def test_neither_the_quorum_nor_the_disks_are_taken_for_deleted(
    watched: Any, cluster: KRaftCluster, leader: int
) -> None:
    (unmounted,), (refused,) = cluster.log_dirs(leader), cluster.log_dirs(2)
    assert watched.gaps(PARTIAL) == [
        ("kafka", "/quorum", "unreachable"),
        ("kafka", "/reassignments", "unreachable"),  # brokers ask the controller for them
        ("log_dirs", f"/{leader}{unmounted}", "missing"),
        ("log_dirs", f"/2{refused}", "unreachable"),
    ]
    assert watched.deleted(HEALTHY, PARTIAL) == set()
    assert watched.ask("SELECT event FROM events") == []


@pytest.mark.usefixtures("told")
def test_what_could_not_be_seen_is_not_current_and_the_rest_is(watched: Any, leader: int) -> None:
    seen = watched.current(PARTIAL)
    assert (seen["quorum"], seen["quorum_members"], seen["controllers"]) == ({False}, {False}, {False})
    assert (seen["brokers"], seen["topics"], seen["partitions"]) == ({True}, {True}, {True})
    for table in ("log_dirs", "disk_replicas"):
        unseen = f"SELECT DISTINCT broker_id FROM {table} WHERE NOT is_current ORDER BY 1"
        assert watched.ask(unseen, PARTIAL) == [(2,), (leader,)]
