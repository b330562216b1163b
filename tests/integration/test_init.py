"""`varve init` beside real servers: what it finds is what `varve doctor` can reach."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jobs.init import look_around, varve_yaml
from jobs.init.files import files_of_processes
from jobs.init.surroundings import Machine, Surroundings
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.ports import HOST, free_port
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.settings import load_settings


@pytest.fixture
def nobody(tmp_path: Path) -> Machine:
    """A machine on which nothing runs and nothing listens."""
    return Machine(tmp_path, (), f"{HOST}:{free_port()}", f"{HOST}:{free_port()}")


def sources(surroundings: Surroundings, home: Path) -> dict[str, Any]:
    """The settings that are written of the only cluster."""
    (home / "varve.yaml").write_text(varve_yaml(surroundings.clusters))
    (cluster,) = load_settings(home / "varve.yaml").clusters
    return {"name": cluster.name} | {
        name: source.model_dump(exclude_defaults=True) for name, source in cluster.sources.items()
    }


def expected(cluster: ZooKeeperCluster) -> dict[str, Any]:
    brokers = [{"broker": each, "local": cluster.log_dirs(each)} for each in cluster.brokers]
    return {
        "name": "kafka_cluster_01",
        "zookeeper": {"connect": cluster.zookeeper_connect},
        "kafka": {"bootstrap_servers": cluster.bootstrap_servers},
        "log_dirs": {"brokers": brokers},
    }


def test_the_file_of_one_broker_leads_to_the_whole_cluster(
    zookeeper_cluster: ZooKeeperCluster, tmp_path: Path, varve: Callable[..., Any]
) -> None:
    file = zookeeper_cluster.brokers[1].files.properties
    told = varve(tmp_path, "init", "--properties", str(file))
    assert told.out.splitlines()[:2] == [
        f"found   {file}: broker 1",
        f"found   Kafka at {zookeeper_cluster.brokers[1].address}: brokers 1, 2, 3",
    ]
    assert varve(tmp_path, "doctor").code == 0


def test_a_broker_that_listens_here_tells_all_there_is(
    zookeeper_cluster: ZooKeeperCluster, nobody: Machine, tmp_path: Path
) -> None:
    kafka = zookeeper_cluster.brokers[2].address
    found = look_around(machine=replace(nobody, kafka=kafka))
    assert found.found == (f"Kafka at {kafka}: brokers 1, 2, 3",)
    assert sources(found, tmp_path) == expected(zookeeper_cluster)


def test_zookeeper_alone_leads_to_its_clusters(
    zookeeper_cluster: ZooKeeperCluster, nobody: Machine, tmp_path: Path
) -> None:
    zookeeper = zookeeper_cluster.zookeeper.address
    found = look_around(machine=replace(nobody, zookeeper=zookeeper))
    assert found.found[0] == f"ZooKeeper at {zookeeper}/kafka_cluster_01: brokers 1, 2, 3"
    assert sources(found, tmp_path) == expected(zookeeper_cluster)


def test_brokers_and_controllers_that_run_on_this_machine_are_found_by_their_processes(
    kraft_cluster: KRaftCluster,
) -> None:
    files = [
        node.files.properties
        for node in [*kraft_cluster.controllers.values(), *kraft_cluster.brokers.values()]
    ]
    assert set(files) <= set(files_of_processes())


def test_files_of_a_kraft_cluster_lead_to_its_brokers_and_its_controller(
    kraft_cluster: KRaftCluster, tmp_path: Path
) -> None:
    found = look_around(
        [kraft_cluster.controllers[101].files.properties, kraft_cluster.brokers[1].files.properties]
    )
    assert sources(found, tmp_path) == {
        "name": "kafka",
        "kafka": {"bootstrap_servers": kraft_cluster.bootstrap_servers},
        "log_dirs": {
            "brokers": [
                {"broker": node_id, "local": kraft_cluster.log_dirs(node_id)} for node_id in (1, 2, 101)
            ]
        },
    }


def test_where_nothing_is_found_it_is_said_and_the_file_can_still_be_loaded(
    zookeeper_cluster: ZooKeeperCluster, nobody: Machine, tmp_path: Path
) -> None:
    found = look_around(machine=nobody)
    assert found.found == (f"no ZooKeeper server at {nobody.zookeeper}", f"no broker at {nobody.kafka}")
    assert sources(found, tmp_path) == {"name": "kafka", "kafka": {"bootstrap_servers": "localhost:9092"}}
    speaks_something_else = look_around(machine=replace(nobody, kafka=zookeeper_cluster.zookeeper.address))
    assert speaks_something_else.clusters == ()
    assert speaks_something_else.found[-1] == (
        f"something at {zookeeper_cluster.zookeeper.address} that does not answer as a broker without a login or TLS"
    )
