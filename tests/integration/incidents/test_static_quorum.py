"""A static quorum of three on Kafka 3.9.1 loses the disk of one voter, which the page's command replaces, and then of two."""

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs.lab.distribution import quorum_status
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, partitions_of

HEALTH = "quorum-health"
FORMAT = "--config controller.properties --cluster-id"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    home = tmp_path_factory.mktemp("static-quorum")
    with KRaftCluster(home, controllers=3, brokers=1, dynamic=False) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1]])
        yield cluster


@pytest.fixture(scope="module")
def watched(cluster: KRaftCluster, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return watch(cluster, tmp_path_factory.mktemp("watched"))


@pytest.fixture
def look(watched: Any, cluster: KRaftCluster) -> Callable[[], Any]:
    """A snapshot over the Kafka API; what it says of the quorum's health: severity and evidence, None where it is fine."""

    def health() -> Any:
        watched.look(("kafka",), bootstrap_controllers=_living(cluster))
        return watched.found(HEALTH).get("quorum")

    return health


def _lose_disk(cluster: KRaftCluster, node_id: int) -> dict[str, str]:
    """A stopped controller gets an empty disk. What is to be formatted, by the words of the page."""
    shutil.rmtree(cluster.log_dirs(node_id)[0])
    properties = str(cluster.controllers[node_id].files.properties)
    return {"CLUSTER_ID": cluster.cluster_id, "controller.properties": properties}


def _status(cluster: KRaftCluster) -> dict[str, str]:
    return dict(re.findall(r"(\w+): +(.*)", quorum_status(cluster.version, _living(cluster))))


def _living(cluster: KRaftCluster) -> str:
    return ",".join(node.address for node in cluster.controllers.values() if node.jvm.running)


def test_a_voter_whose_disk_was_lost_comes_back_on_an_empty_one_while_the_others_have_everything(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    assert look() is None
    cluster.controllers[103].jvm.kill()
    wait_until("a lost voter", lambda: look() is not None, [cluster.brokers[1].jvm], 120)
    ((severity, evidence),) = watched.found("quorum-health").values()
    assert (severity, evidence["survives"]) == ("critical", 0)
    assert [voter["node_id"] for voter in evidence["lost"]] == [103]
    watched.printed(HEALTH, FORMAT, _lose_disk(cluster, 103))
    cluster.controllers[103].jvm.start()
    wait_until("a sound quorum", lambda: look() is None, [cluster.controllers[103].jvm], 120)
    assert partitions_of(cluster.bootstrap_servers, "orders")[0]["leader_id"] == 1


def test_two_formatted_voters_of_three_elect_each_other_and_know_nothing(
    cluster: KRaftCluster, watched: Any
) -> None:
    """The page forbids it: of all voters only one has everything."""
    ((before,),) = watched.ask("SELECT max(high_watermark) FROM quorum_progress")
    for controller in cluster.controllers.values():
        controller.jvm.kill()
    for node_id in (102, 103):
        watched.printed(HEALTH, FORMAT, _lose_disk(cluster, node_id))
        cluster.controllers[node_id].jvm.start()
    wait_until("a leader", lambda: _status(cluster)["LeaderId"] in ("102", "103"), [], 120)
    assert int(_status(cluster)["HighWatermark"]) < before
