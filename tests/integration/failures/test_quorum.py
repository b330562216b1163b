"""A metadata quorum that has lost its majority, and a log dir of it that is not mounted any more."""

from collections.abc import Iterator
from typing import Any

import pytest

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic

HEALTHY, LEADERLESS = "20261121T140000Z", "20261121T141000Z"


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
def told(cluster: KRaftCluster, watched: Any, leader: int) -> Any:
    """What was told when the leader and another controller were killed and the leader's disk was gone."""
    other = next(node_id for node_id in cluster.controllers if node_id != leader)
    for node_id in (other, leader):
        cluster.controllers[node_id].jvm.kill()
    (log_dir,) = cluster.log_dirs(leader)
    log_dir.rename(log_dir.with_name("unmounted"))
    return watched.snapshot(LEADERLESS)


def test_a_quorum_without_a_leader_is_told_with_what_to_do(told: Any) -> None:
    kafka = told["kafka"]
    assert kafka.code == 0
    assert "/quorum (unreachable): Kafka does not tell the state of its metadata quorum" in kafka.err
    assert "kafka-metadata-quorum.sh --bootstrap-controller" in kafka.err


def test_a_log_dir_that_is_not_mounted_is_told_with_its_path(
    told: Any, cluster: KRaftCluster, leader: int
) -> None:
    log_dirs, (gone,) = told["log_dirs"], cluster.log_dirs(leader)
    assert log_dirs.code == 0
    assert f"There is no log dir {gone} of broker {leader}" in log_dirs.err
    assert "whether the disk is mounted" in log_dirs.err


@pytest.mark.usefixtures("told")
def test_neither_the_quorum_nor_the_disk_is_taken_for_deleted(
    watched: Any, cluster: KRaftCluster, leader: int
) -> None:
    (gone,) = cluster.log_dirs(leader)
    assert watched.gaps(LEADERLESS) == [
        ("kafka", "/quorum", "unreachable"),
        ("log_dirs", f"/{leader}{gone}", "missing"),
    ]
    assert watched.deleted(HEALTHY, LEADERLESS) == set()
    assert watched.ask("SELECT event FROM events") == []


@pytest.mark.usefixtures("told")
def test_what_could_not_be_seen_is_not_current_and_the_rest_is(watched: Any, leader: int) -> None:
    seen = watched.current(LEADERLESS)
    assert (seen["quorum"], seen["quorum_members"], seen["controllers"]) == ({False}, {False}, {False})
    assert (seen["brokers"], seen["topics"], seen["partitions"]) == ({True}, {True}, {True})
    of_disks = "SELECT DISTINCT broker_id FROM {} WHERE NOT is_current"
    assert watched.ask(of_disks.format("log_dirs"), LEADERLESS) == [(leader,)]
    assert watched.ask(of_disks.format("disk_replicas"), LEADERLESS) == [(leader,)]
