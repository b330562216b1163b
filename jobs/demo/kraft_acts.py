"""The acts on KRaft: a dead broker stays an observer, and a second controller becomes a voter."""

from jobs.demo.act import Act
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, produce

SECOND_CONTROLLER = 102


def _healthy(cluster: KRaftCluster) -> None:
    cluster.start_controller(SECOND_CONTROLLER)
    create_topic(cluster.bootstrap_servers, "clicks", [[1, 2], [2, 1]])
    produce(cluster.bootstrap_servers, "clicks")
    cluster.wait_until_in_sync()


def _a_broker_is_killed(cluster: KRaftCluster) -> None:
    cluster.kill_broker(2)


def _an_observer_is_promoted(cluster: KRaftCluster) -> None:
    cluster.add_controller(SECOND_CONTROLLER)


ACTS = [
    Act(
        "A dynamic quorum",
        "One controller, two brokers, and a second controller that only observes so far.",
        _healthy,
    ),
    Act(
        "A broker is killed", "Broker 2 loses its power; the quorum goes on listing it.", _a_broker_is_killed
    ),
    Act(
        "The observer is promoted",
        "kafka-metadata-quorum add-controller makes the second controller a voter.",
        _an_observer_is_promoted,
    ),
]
