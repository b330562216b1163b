"""The acts of the demo: what happens to a real cluster before each snapshot.

In ZooKeeper mode a broker dies and returns, and a topic id is lost, then minted anew. Under KRaft a dead broker
stays an observer, and a second controller becomes a voter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.distribution import add_partitions_with_old_tool
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster

BROKERS = 3
CHROOT = "/kafka_cluster_01"
_SECOND_CONTROLLER = 102
_EVERYWHERE = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]

Cluster = TypeVar("Cluster", bound=KafkaCluster)


@dataclass(frozen=True)
class Act(Generic[Cluster]):
    """`story` says in plain words what is done, `happens` does it."""

    title: str
    story: str
    happens: Callable[[Cluster], None]


def _healthy(cluster: ZooKeeperCluster) -> None:
    create_topic(cluster.bootstrap_servers, "orders", _EVERYWHERE)
    create_topic(cluster.bootstrap_servers, "payments", _EVERYWHERE, {"retention.ms": "604800000"})
    create_topic(cluster.bootstrap_servers, "audit", [[1], [2]])
    for topic in ("orders", "payments", "audit"):
        produce(cluster.bootstrap_servers, topic)
    cluster.wait_until_in_sync()


def _a_broker_is_killed(cluster: ZooKeeperCluster) -> None:
    cluster.kill_broker(2)
    for topic in ("orders", "payments"):
        _wait_until(cluster, f"leaders of {topic}", topic, lambda part: part["leader_id"] >= 0)


def _it_returns(cluster: ZooKeeperCluster) -> None:
    """Broker 3 restarts before broker 2 is in sync: else broker 2 could take over what broker 3 led."""
    cluster.stop_broker(3)
    cluster.start_broker(3)
    cluster.start_broker(2)
    cluster.wait_until_in_sync()


def _an_old_tool_adds_partitions(cluster: ZooKeeperCluster) -> None:
    add_partitions_with_old_tool(cluster.zookeeper_connect, "orders", 5)
    produce(cluster.bootstrap_servers, "orders")
    cluster.wait_until_in_sync()


def _the_controller_moves(cluster: ZooKeeperCluster) -> None:
    cluster.delete_controller()
    cluster.stop_broker(1)
    cluster.start_broker(1)
    _wait_until(
        cluster,
        "payments in sync",
        "payments",
        lambda part: set(part["isr_nodes"]) == set(part["replica_nodes"]),
    )


def _dynamic_quorum(cluster: KRaftCluster) -> None:
    cluster.start_controller(_SECOND_CONTROLLER)
    create_topic(cluster.bootstrap_servers, "clicks", [[1, 2], [2, 1]])
    produce(cluster.bootstrap_servers, "clicks")
    cluster.wait_until_in_sync()


def _a_kraft_broker_is_killed(cluster: KRaftCluster) -> None:
    cluster.kill_broker(2)


def _an_observer_is_promoted(cluster: KRaftCluster) -> None:
    cluster.add_controller(_SECOND_CONTROLLER)


def _wait_until(
    cluster: ZooKeeperCluster, what: str, topic: str, holds: Callable[[dict[str, Any]], bool]
) -> None:
    """Wait until every partition of the topic is as `holds` wants it.

    A snapshot that is taken before the controller is done would be correct, but would confuse who watches the demo.
    """

    def all_hold() -> bool:
        return all(map(holds, partitions_of(cluster.bootstrap_servers, topic).values()))

    living = [server for server in cluster.servers if server.running]
    wait_until(what, all_hold, living, SETTLE_TIMEOUT_S)


ZOOKEEPER_ACTS = [
    Act(
        "Healthy",
        "ZooKeeper and three brokers under a chroot; orders and payments with three replicas, audit with one.",
        _healthy,
    ),
    Act("A broker is killed", "Broker 2 loses its power.", _a_broker_is_killed),
    Act(
        "It returns",
        "Broker 3 restarts so fast that no snapshot sees it gone, and broker 2 is back.",
        _it_returns,
    ),
    Act(
        "An old tool adds partitions",
        "Somebody runs the kafka-topics of 2.6.3 with --zookeeper on orders. Producers notice nothing.",
        _an_old_tool_adds_partitions,
    ),
    Act(
        "The controller moves",
        "The controller loses its session, and broker 1 is restarted for maintenance.",
        _the_controller_moves,
    ),
]

KRAFT_ACTS = [
    Act(
        "A dynamic quorum",
        "One controller, two brokers, and a second controller that only observes so far.",
        _dynamic_quorum,
    ),
    Act(
        "A broker is killed",
        "Broker 2 loses its power; the quorum goes on listing it.",
        _a_kraft_broker_is_killed,
    ),
    Act(
        "The observer is promoted",
        "kafka-metadata-quorum add-controller makes the second controller a voter.",
        _an_observer_is_promoted,
    ),
]
