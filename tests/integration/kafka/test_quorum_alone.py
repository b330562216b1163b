"""The metadata quorum straight from the controllers, and one that has no leader."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs.errors import NotReadError
from jobs.lab.kraft_mode import KRaftCluster
from jobs.sources.kafka.probe import probe
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap

Land = Callable[[Settings], tuple[dict[str, list[dict[str, Any]]], list[Gap]]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    """Three voters of a static quorum, as before Kafka 3.9, and one broker. Its tests take it apart in their order."""
    with KRaftCluster(
        tmp_path_factory.mktemp("quorum"), controllers=3, brokers=1, version="3.3.2"
    ) as cluster:
        yield cluster


def settings_of(cluster: KRaftCluster, timeout_s: float = 15) -> Settings:
    return Settings(
        bootstrap_servers=cluster.bootstrap_servers,
        bootstrap_controllers=cluster.bootstrap_controllers,
        timeout_s=timeout_s,
    )


def test_whichever_controller_is_named_first_the_leader_is_found(cluster: KRaftCluster, land: Land) -> None:
    brokers_say, _ = land(settings_of(cluster))
    for first in cluster.controllers.values():
        others = [node.address for node in cluster.controllers.values() if node is not first]
        tables, _ = land(Settings(bootstrap_controllers=",".join([first.address, *others])))
        assert tables["quorum"] == brokers_say["quorum"]
        assert {(row["node_id"], row["role"]) for row in tables["quorum_members"]} == {
            (101, "voter"),
            (102, "voter"),
            (103, "voter"),
            (1, "observer"),
        }
        assert all(row["last_fetch_at"] for row in tables["quorum_progress"])


def test_with_all_brokers_gone_the_quorum_is_still_told(cluster: KRaftCluster, land: Land) -> None:
    cluster.brokers[1].jvm.kill()
    tables, gaps = land(settings_of(cluster, timeout_s=5))
    assert tables["quorum"][0]["leader_id"] in (101, 102, 103)
    assert "/quorum" not in {gap.scope for gap in gaps}
    assert {(gap.reason, gap.message) for gap in gaps} == {
        (
            "unreachable",
            f"No Kafka broker answers at {cluster.bootstrap_servers} within 5 s ({cluster.bootstrap_servers}: "
            "Connection refused): check bootstrap_servers in varve.yaml, and that one can be reached from here.",
        )
    }


def test_a_quorum_that_lost_its_majority_is_a_gap_beside_what_the_brokers_tell(
    cluster: KRaftCluster, land: Land
) -> None:
    """A leader before Kafka 3.7 would go on as one without the others, so it goes first."""
    cluster.start_broker(1)
    told, _ = land(settings_of(cluster))
    leader = told["quorum"][0]["leader_id"]
    follower = next(node_id for node_id in cluster.controllers if node_id != leader)
    for node_id in (leader, follower):
        cluster.controllers[node_id].jvm.kill()
    tables, gaps = land(settings_of(cluster, timeout_s=4))
    assert [row["broker_id"] for row in tables["admin_brokers"]] == [1]
    assert tables["quorum"] == []
    (gap,) = [gap for gap in gaps if gap.scope == "/quorum"]
    assert gap.reason == "unreachable"
    assert "Kafka did not return the state of the metadata quorum" in gap.message
    assert "it may have no leader; look at the controllers with kafka-metadata-quorum.sh" in gap.message


def test_doctor_names_the_controllers_that_do_not_lead(cluster: KRaftCluster) -> None:
    (line,) = (
        line for line in probe(settings_of(cluster, timeout_s=4)) if line.what.startswith("controllers")
    )
    assert (line.ok, line.what) == (False, f"controllers at {cluster.bootstrap_controllers}")
    assert "it may have no leader" in line.message


def test_with_nobody_left_the_source_is_unavailable(cluster: KRaftCluster, land: Land) -> None:
    cluster.close()
    with pytest.raises(NotReadError, match="The controllers do not answer either") as told:
        land(settings_of(cluster, timeout_s=1))
    assert told.value.reason == "unreachable"
