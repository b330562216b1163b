"""Healthy clusters of Kafka 3.9.1 under churn: above `info` Varve says what is so and nothing else.

Every step is followed by a snapshot, without waiting for the cluster to settle. `make test` takes 30, `make soak` 200.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kafka import TopicPartition
from kafka.admin import KafkaAdminClient

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, led_elsewhere, out_of_sync, quorum_members
from jobs.lab.zookeeper_mode import ZooKeeperCluster

BROKERS = (1, 2, 3)
COUNTS = [15, pytest.param(100, marks=pytest.mark.soak)]
OF_PARTITIONS = ("under-replicated-partition", "at-min-isr")

Found = set[tuple[str, str]]


class Churn:
    """A cluster that lives, and what Varve said of it: `false` holds what nobody should have been told."""

    def __init__(self, cluster: KafkaCluster, watched: Any, seed: int) -> None:
        self.cluster, self.watched, self.random = cluster, watched, Random(seed)
        self.topics: dict[str, int] = {}
        self.made = self.looks = 0
        self.false: list[tuple[int, str, Found]] = []
        self.told: Counter[str] = Counter()

    def look(self, after: str, down: int | None = None, *, may_lead_elsewhere: bool = False) -> None:
        """Take a snapshot. While broker `down` is down, that and its partitions are rightly told."""
        self.watched.look()
        self.looks += 1
        open_ones = "SELECT check_id, subject FROM findings WHERE status = 'open' AND severity <> 'info'"
        found: Found = set(self.watched.ask(open_ones))
        self.told.update(check_id for check_id, _ in found)
        right = self._right(down) if down else set()
        if down or may_lead_elsewhere:
            right |= {("leader-imbalance", f"broker {broker}") for broker in BROKERS}
        if found - right:
            self.false.append((self.looks, after, found - right))
        assert down is None or ("broker-down", f"broker {down}") in found

    def _right(self, down: int) -> Found:
        held = f"SELECT topic || '-' || partition FROM partitions WHERE list_contains(replicas, {down})"
        names = [name for (name,) in self.watched.ask(held)]
        return {("broker-down", f"broker {down}")} | {
            (check, name) for check in OF_PARTITIONS for name in names
        }

    def create(self) -> None:
        """Two or three replicas, so that a reassignment moves some."""
        name, self.made = f"topic-{self.made}", self.made + 1
        replicas = self.random.choice((2, 3))
        starts = range(self.random.randint(1, 4))
        assignment = [[BROKERS[(first + each) % 3] for each in range(replicas)] for first in starts]
        create_topic(self.cluster.bootstrap_servers, name, assignment)
        self.topics[name] = len(assignment)
        self.look("topic created")

    def delete(self) -> None:
        name = self.random.choice(sorted(self.topics))
        del self.topics[name]
        with self._admin() as admin:
            admin.delete_topics([name])
        self.look("topic deleted")

    def add_partitions(self) -> None:
        name = self.random.choice(sorted(self.topics))
        self.topics[name] += 2
        with self._admin() as admin:
            admin.create_partitions({name: self.topics[name]})
        self.look("partitions added")

    def reassign(self) -> None:
        name = self.random.choice(sorted(self.topics))
        target = self.random.sample(BROKERS, self.random.choice((2, 3)))
        moved = TopicPartition(name, self.random.randrange(self.topics[name]))
        with self._admin() as admin:
            admin.alter_partition_reassignments({moved: target})
        self.look("partition reassigned", may_lead_elsewhere=True)
        self.settle()

    def restart(self) -> None:
        """One broker after the other, each when the one before is in sync."""
        self.settle()
        for broker in self.random.sample(BROKERS, 3):
            self.cluster.stop_broker(broker)
            self.look(f"broker {broker} stopped", down=broker)
            self.cluster.start_broker(broker)
            self.cluster.wait_until_in_sync()
            self.look(f"broker {broker} back", may_lead_elsewhere=True)
        self.settle()

    def settle(self) -> None:
        """Wait for replicas and reassignments, and bring the leaders home."""
        wait_until("all in sync", lambda: not out_of_sync(self.cluster.bootstrap_servers), [], 120)
        with self._admin() as admin:
            wait_until("no reassignment", lambda: not admin.list_partition_reassignments(), [], 120)
            wait_until("leaders at home", lambda: self._are_at_home(admin), [], 120)

    def _are_at_home(self, admin: KafkaAdminClient) -> bool:
        """In every broker's eyes; where they are not, they are elected."""
        if any(led_elsewhere(node.address) for node in self.cluster.brokers.values()):
            admin.elect_leaders(0, raise_errors=False)
            return False
        return True

    def elect(self) -> None:
        self.settle()
        self.look("preferred leaders elected")

    def _admin(self) -> Any:
        return closing(KafkaAdminClient(bootstrap_servers=self.cluster.bootstrap_servers))


class QuorumChurn(Churn):
    """Besides, controller 104 becomes a voter and ceases to be one."""

    cluster: KRaftCluster

    def change_voters(self) -> None:
        self.cluster.add_controller(104)
        self.look("voter added")
        self.cluster.remove_controller(104)
        self.look("voter removed")

    def restart_controller(self) -> None:
        """Back before the leader has counted to ten."""
        node = self.random.choice((101, 102, 103))
        self.cluster.stop_controller(node)
        self.cluster.start_controller(node)
        self.look(f"controller {node} restarted")


def churn(lived: Churn, snapshots: int) -> None:
    """Every kind of step, then any, until there are enough snapshots. Each broker has replicas that stay."""
    create_topic(lived.cluster.bootstrap_servers, "base", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    steps: list[Callable[[], None]] = [lived.add_partitions, lived.reassign, lived.elect, lived.restart]
    if isinstance(lived, QuorumChurn):
        steps += [lived.change_voters, lived.restart_controller]
    lived.create()
    for step in steps:
        step()
    while lived.looks < snapshots:
        more = [lived.delete] if len(lived.topics) > 2 else [lived.create]
        lived.random.choice([*steps, lived.create, *more])()


@pytest.fixture
def zookeeper(tmp_path: Path, watch: Any) -> Iterator[Churn]:
    with ZooKeeperCluster(tmp_path / "cluster") as cluster:
        yield Churn(cluster, watch(cluster, tmp_path), seed=11)


@pytest.fixture
def kraft(tmp_path: Path, watch: Any) -> Iterator[Churn]:
    with KRaftCluster(tmp_path / "cluster", controllers=4, brokers=3) as cluster:
        for node in (102, 103):
            cluster.add_controller(node)
        wait_until("three voters", lambda: _voters(cluster) == {101, 102, 103}, [], 60)
        yield QuorumChurn(cluster, watch(cluster, tmp_path), seed=12)


def _voters(cluster: KRaftCluster) -> set[int]:
    members = quorum_members(cluster.bootstrap_servers)
    return {node for node, role in members.items() if role == "voter"}


@pytest.mark.parametrize("snapshots", COUNTS)
@pytest.mark.parametrize("mode", ["zookeeper", "kraft"])
def test_a_healthy_cluster_that_changes_raises_no_false_alarm(
    mode: str, snapshots: int, request: pytest.FixtureRequest
) -> None:
    lived: Churn = request.getfixturevalue(mode)
    churn(lived, snapshots)
    print(f"{mode}: {lived.looks} snapshots, told above info {dict(lived.told)}, false {len(lived.false)}")
    assert lived.false == []
