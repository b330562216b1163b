"""A quorum of three on Kafka 3.9.1 loses a voter, then its disk, then its majority; the page's commands mend it."""

import re
import shutil
from collections.abc import Callable, Iterator
from subprocess import TimeoutExpired
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, quorum_members

HEALTH = "quorum-health"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    with KRaftCluster(tmp_path_factory.mktemp("lost-voter"), controllers=3, brokers=1) as cluster:
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


def _living(cluster: KRaftCluster) -> str:
    return ",".join(node.address for node in cluster.controllers.values() if node.jvm.running)


def _wait_for_quorum(cluster: KRaftCluster, voters: set[int]) -> None:
    def agreed() -> bool:
        members = quorum_members(cluster.bootstrap_servers)
        return {node for node, role in members.items() if role == "voter"} == voters

    wait_until(f"the voters {sorted(voters)}", agreed, [], 120)


def _wait_until_silent(cluster: KRaftCluster, watched_look: Callable[[], Any]) -> Any:
    """The first answer that has a lost voter: the leader counts ten seconds."""
    found: list[Any] = []

    def lost() -> bool:
        found[:] = [watched_look()]
        return bool(found[0] and found[0][1]["lost"])

    wait_until("a lost voter", lost, [cluster.brokers[1].jvm], 120)
    return found[0]


def _voter(node_id: int, directory_id: str) -> dict[str, str]:
    """Whom remove-controller removes, by the words of the page."""
    return {"OLD_DIRECTORY_ID": directory_id, "LOST_ID": str(node_id)}


def _properties(cluster: KRaftCluster, node_id: int) -> dict[str, str]:
    """Whom add-controller adds, by the word of the page."""
    return {"controller.properties": str(cluster.controllers[node_id].files.properties)}


def _wait_until_nobody_leads(watched_look: Callable[[], Any], watched: Any) -> None:
    def is_told() -> bool:
        watched_look()
        return "controller" in watched.found("no-controller")

    wait_until("no leader", is_told, [], 120)
    severity, evidence = watched.found("no-controller")["controller"]
    assert (severity, evidence["state"]) == ("critical", "quorum does not answer")


def test_one_voter_is_told_quietly_two_survive_nothing_and_three_are_fine(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    severity, evidence = look()
    assert (severity, evidence["voters"], evidence["waiting"], evidence["may_fail"]) == (
        "info",
        [101],
        [102, 103],
        False,
    )
    added = watched.run(HEALTH, "add-controller", _properties(cluster, 102))
    assert added.returncode == 0, added.stdout + added.stderr
    _wait_for_quorum(cluster, {101, 102})
    severity, evidence = look()
    assert (severity, evidence["survives"], evidence["waiting"]) == ("warning", 0, [103])
    assert ("voter-promoted", "node 102") in watched.events()
    assert watched.run(HEALTH, "add-controller", _properties(cluster, 103)).returncode == 0
    _wait_for_quorum(cluster, {101, 102, 103})
    assert look() is None


def test_what_the_page_shows_is_what_the_lake_knows(watched: Any) -> None:
    ((leader,),) = watched.ask("SELECT leader_id FROM quorum")
    assert re.search(rf"^LeaderId: +{leader}$", watched.printed(HEALTH, "describe --status"), re.MULTILINE)
    assert watched.printed(HEALTH, "describe --replication").count("Follower") == 2


def test_a_voter_that_died_leaves_none_to_lose_and_its_own_disk_cures(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    cluster.controllers[103].jvm.kill()
    severity, evidence = _wait_until_silent(cluster, look)
    assert severity == "critical"
    assert evidence["lost"] == [{"node_id": 103, "directory_id": cluster.directory_id(103)}]
    assert (evidence["survives"], evidence["may_fail"]) == (0, False)
    assert watched.found("no-controller") == {}
    cluster.start_controller(103)
    wait_until("a sound quorum", lambda: look() is None, [], 60)


def test_a_disk_that_was_lost_is_replaced_by_removing_first_and_adding_afterwards(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    lost = cluster.controllers[103]
    old = cluster.directory_id(103)
    lost.jvm.kill()
    shutil.rmtree(cluster.log_dirs(103)[0])
    values = _properties(cluster, 103) | {"CLUSTER_ID": cluster.cluster_id}
    formatted = watched.run(HEALTH, "--no-initial-controllers", values)
    assert formatted.returncode == 0, formatted.stderr
    cluster.start_controller(103)
    severity, evidence = _wait_until_silent(cluster, look)
    assert (severity, evidence["lost"]) == ("critical", [{"node_id": 103, "directory_id": old}])
    assert watched.found("ghost-observer")["node 103"][1]["ghost_class"] == "doubled"

    early = watched.run(HEALTH, "add-controller", _properties(cluster, 103))
    assert early.returncode != 0, "an id that votes cannot be added"
    assert "DuplicateVoterException" in early.stdout + early.stderr
    removed = watched.run(HEALTH, "remove-controller", _voter(103, old))
    assert removed.returncode == 0, removed.stdout + removed.stderr
    _wait_for_quorum(cluster, {101, 102})
    added = watched.run(HEALTH, "add-controller", _properties(cluster, 103))
    assert added.returncode == 0, added.stdout + added.stderr
    _wait_for_quorum(cluster, {101, 102, 103})
    wait_until("a sound quorum", lambda: look() is None, [], 60)


def test_removing_a_living_voter_while_one_is_lost_stops_the_quorum(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    """The page's precondition forbids it: of the two voters that are left only one would be alive."""
    cluster.controllers[103].jvm.kill()
    severity, evidence = _wait_until_silent(cluster, look)
    assert (severity, [voter["node_id"] for voter in evidence["lost"]]) == ("critical", [103])
    ((leader,),) = watched.ask("SELECT leader_id FROM quorum")
    follower = 101 + 102 - leader
    voter = _voter(follower, cluster.directory_id(follower))
    removed = watched.run(HEALTH, "remove-controller", voter)
    assert removed.returncode != 0
    assert "TimeoutException" in removed.stdout + removed.stderr
    _wait_until_nobody_leads(look, watched)

    cluster.controllers[103].jvm.start()
    _wait_for_quorum(cluster, {leader, 103})
    look()
    assert "LeaderId" in watched.printed("no-controller", "describe --status")
    assert watched.found("no-controller") == {}


def test_a_voter_of_two_cannot_be_replaced_while_it_is_away_and_its_own_disk_brings_the_quorum_back(
    cluster: KRaftCluster, look: Any, watched: Any
) -> None:
    """The page's precondition forbids the removal: one of two is no majority."""
    members = quorum_members(cluster.bootstrap_servers)
    voters = {node for node, role in members.items() if role == "voter"}
    assert len(voters) == 2
    cluster.controllers[103].jvm.kill()
    _wait_until_nobody_leads(look, watched)
    with pytest.raises((TimeoutExpired, AssertionError)):
        watched.printed(HEALTH, "remove-controller", _voter(103, cluster.directory_id(103)))

    cluster.controllers[103].jvm.start()
    _wait_for_quorum(cluster, voters)
    look()
    assert watched.found("no-controller") == {}
    assert watched.ask("SELECT status FROM findings WHERE check_id = 'no-controller'") == [("resolved",)]
