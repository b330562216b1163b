"""What happens between two snapshots of a ZooKeeper-mode cluster, and every event that it makes."""

from typing import Any

import pytest
from kafka import TopicPartition
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster


@pytest.fixture(scope="module")
def watched(spark: SparkSession, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Broker 3 is the controller and stays; `orders` and `moved` are safe, `fragile` allows unclean elections."""
    with ZooKeeperCluster(tmp_path_factory.mktemp("cluster"), log_dirs=1) as cluster:
        watched = watch(cluster, "zookeeper")
        _prepare(cluster)
        watched.look("healthy")
        cluster.stop_broker(2)
        cluster.start_broker(2)
        cluster.wait_until_in_sync()
        watched.look("restarted")
        watched.admin(lambda admin: admin.elect_leaders(0, {"orders": [0]}))
        watched.wait_for("orders", 2, {2, 3})
        watched.look("elected")
        watched.admin(lambda admin: admin.alter_partition_reassignments({TopicPartition("moved", 0): [3, 2]}))
        watched.wait_for("moved", 3, {2, 3})
        _wait_for_reassignments(watched)
        watched.look("reassigned")
        _recreate(watched)
        watched.look("recreated")
        _lose_the_isr_of_fragile(cluster)
        watched.look("broken")
        cluster.start_broker(2)
        watched.wait_for("fragile", 2, {2})
        watched.wait_for("orders", 3, {2, 3})
        watched.wait_for("moved", 3, {2, 3})
        watched.look("unclean")
    watched.process(spark)
    return watched


def _prepare(cluster: ZooKeeperCluster) -> None:
    cluster.move_controller(3)
    cluster.wait_for_brokers([1, 2, 3])
    create_topic(cluster.bootstrap_servers, "orders", [[2, 3]])
    create_topic(cluster.bootstrap_servers, "moved", [[1, 3]])
    create_topic(cluster.bootstrap_servers, "again", [[1, 3]])
    create_topic(cluster.bootstrap_servers, "fragile", [[1, 2]], {"unclean.leader.election.enable": "true"})
    cluster.wait_until_in_sync()


def _wait_for_reassignments(watched: Any) -> None:
    servers = watched.cluster.servers
    wait_until(
        "the reassignment", lambda: not watched.admin(lambda a: a.list_partition_reassignments()), servers, 60
    )


def _recreate(watched: Any) -> None:
    """The new topic has its leader and its ISR elsewhere."""
    watched.admin(lambda admin: admin.delete_topics(["again"]))

    def is_gone() -> bool:
        with watched.cluster.client() as client:
            return not client.exists("/brokers/topics/again") and not client.exists(
                "/admin/delete_topics/again"
            )

    wait_until("the topic to be deleted", is_gone, watched.cluster.servers, 60)
    create_topic(watched.cluster.bootstrap_servers, "again", [[3]])


def _lose_the_isr_of_fragile(cluster: ZooKeeperCluster) -> None:
    """Broker 1 alone has the newest records when it dies."""
    cluster.stop_broker(2)
    produce(cluster.bootstrap_servers, "fragile", 20)
    cluster.kill_broker(1)


def test_a_restart_between_two_snapshots_is_a_bounce(watched: Any) -> None:
    assert watched.events("restarted") == {
        ("broker-bounced", "broker 2", None),
        ("leader-moved", "orders-0", "broker-bounced"),
    }


def test_a_preferred_election_moves_a_leader_and_nothing_else(watched: Any) -> None:
    assert watched.events("elected") == {("leader-moved", "orders-0", "preferred-election")}


def test_a_finished_reassignment_is_another_assignment_and_no_shrunken_isr(watched: Any) -> None:
    assert watched.events("reassigned") == {
        ("assignment-changed", "moved-0", None),
        ("leader-moved", "moved-0", "reassignment"),
    }
    values = "SELECT from_value, to_value FROM events WHERE event = 'assignment-changed'"
    assert watched.ask(values) == [("1,3", "3,2")]


def test_a_recreated_topic_is_compared_with_nothing(watched: Any) -> None:
    assert watched.events("recreated") == {("topic-recreated", "again", None)}


def test_brokers_that_leave_move_leaders_and_take_partitions_offline(watched: Any) -> None:
    assert watched.events("broken") == {
        ("broker-left", "broker 1", None),
        ("broker-left", "broker 2", None),
        ("isr-shrank", "fragile-0", "broker-left"),
        ("isr-shrank", "moved-0", "broker-left"),
        ("isr-shrank", "orders-0", "broker-left"),
        ("leader-moved", "orders-0", "broker-left"),
        ("partition-offline", "fragile-0", "broker-left"),
    }


def test_an_unclean_election_is_told(watched: Any) -> None:
    assert watched.events("unclean") == {
        ("broker-joined", "broker 2", None),
        ("isr-grew", "moved-0", None),
        ("isr-grew", "orders-0", None),
        ("isr-shrank", "fragile-0", "unclean-election"),
        ("leader-elected-unclean", "fragile-0", None),
        ("partition-online", "fragile-0", None),
    }
