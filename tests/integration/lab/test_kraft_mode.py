"""One cluster lives through the incidents in the order of the tests."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.lab.distribution import quorum_status
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, partitions_of, produce, quorum_members
from jobs.settings import load_settings


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    with KRaftCluster(tmp_path_factory.mktemp("incidents")) as cluster:
        yield cluster


def test_brokers_observe_a_quorum_of_one(cluster: KRaftCluster) -> None:
    assert quorum_members(cluster.bootstrap_servers) == {1: "observer", 2: "observer", 101: "voter"}


def test_topics_can_be_created_and_written(cluster: KRaftCluster) -> None:
    create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 1]])
    produce(cluster.bootstrap_servers, "orders")
    found = partitions_of(cluster.bootstrap_servers, "orders")
    assert {number: part["replica_nodes"] for number, part in found.items()} == {0: [1, 2], 1: [2, 1]}


def test_its_settings_are_a_valid_cluster_of_varve_yaml(cluster: KRaftCluster, tmp_path: Path) -> None:
    varve_yaml = tmp_path / "varve.yaml"
    varve_yaml.write_text(json.dumps({"lake": "./lake", "clusters": [cluster.settings("events")]}))
    sources = load_settings(varve_yaml).cluster("events").sources
    assert set(sources) == {"kafka", "log_dirs"}


def test_a_killed_broker_is_still_listed_as_an_observer(cluster: KRaftCluster) -> None:
    cluster.kill_broker(2)
    found = partitions_of(cluster.bootstrap_servers, "orders")
    assert {tuple(part["isr_nodes"]) for part in found.values()} == {(1,)}
    assert quorum_members(cluster.bootstrap_servers)[2] == "observer"
    cluster.start_broker(2)
    cluster.wait_until_in_sync()


def test_a_stopped_observer_is_still_listed_and_returns(cluster: KRaftCluster) -> None:
    cluster.start_controller(102)
    cluster.stop_controller(102)
    assert quorum_members(cluster.bootstrap_servers)[102] == "observer"
    cluster.start_controller(102)


def test_a_new_controller_observes_until_the_tool_makes_it_a_voter(cluster: KRaftCluster) -> None:
    assert quorum_members(cluster.bootstrap_servers)[102] == "observer"
    cluster.add_controller(102)
    assert quorum_members(cluster.bootstrap_servers)[102] == "voter"


def test_the_tool_shows_the_quorum_to_people(cluster: KRaftCluster) -> None:
    told = quorum_status(cluster.version, cluster.bootstrap_controllers)
    assert "CurrentVoters:" in told
    assert '"id": 102' in told


def test_nothing_is_left_running(tmp_path: Path) -> None:
    with KRaftCluster(tmp_path, brokers=1) as cluster:
        servers = cluster.servers
        assert [server.running for server in servers] == [True, True]
    assert [server.running for server in servers] == [False, False]
