"""What `varve whatif` says of a real cluster is what its controller then does, partition by partition; and the gates."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.distribution import kafka_jars
from jobs.lab.jvm import LabError, run_tool, wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.topics import create_topic, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.watched import Watched

ALL = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 2]]
TOPICS = {"orders": ALL, "pairs": [[1, 2], [2, 3], [3, 1]], "single": [[1], [2], [3]]}
# A follower that is out of sync gets one batch a fetch, and little more than one every ten seconds.
SLOW = {"replica.fetch.max.bytes": "1", "replica.fetch.response.max.bytes": "1"}

Partitions = dict[str, tuple[int, list[int]]]


class SlowZooKeeperCluster(ZooKeeperCluster):
    def _properties(self, node: Node) -> dict[str, str]:
        return {**super()._properties(node), **SLOW}


class SlowKRaftCluster(KRaftCluster):
    def _properties(self, node: Node) -> dict[str, str]:
        return {**super()._properties(node), **SLOW}


class WatchedElections(Watched[KafkaCluster]):
    """A cluster that elects, asked what it will do."""

    def __init__(self, cluster: KafkaCluster, home: Path, spark: SparkSession, varve: Any) -> None:
        super().__init__(cluster, home, spark)
        self._varve = varve

    def said(self, broker_id: int) -> tuple[Partitions, dict[str, str]]:
        """Leader and sorted ISR of each partition without the broker, and the outcomes."""
        answer = self._varve(self.home, "whatif", "--broker", str(broker_id), "--format", "json")
        fates = {f"{fate['topic']}-{fate['partition']}": fate for fate in json.loads(answer)}
        found = {name: (fate["leader_after"], sorted(fate["isr_after"])) for name, fate in fates.items()}
        return found, {name: fate["outcome"] for name, fate in fates.items()}

    def is_now(self, topics: list[str]) -> Partitions:
        """What the brokers say of each partition."""
        told = {topic: partitions_of(self._running, topic) for topic in topics}
        return {
            f"{topic}-{number}": (partition["leader_id"], sorted(partition["isr_nodes"]))
            for topic, partitions in told.items()
            for number, partition in partitions.items()
        }

    def becomes(self, expected: Partitions, topics: list[str]) -> Partitions:
        """What the brokers say of the expected partitions, once that is what is expected, or after a while."""

        def now() -> Partitions:
            return {name: state for name, state in self.is_now(topics).items() if name in expected}

        with suppress(LabError):
            wait_until("the elections", lambda: now() == expected, [], SETTLE_TIMEOUT_S / 2)
        return now()

    @property
    def _running(self) -> str:
        return ",".join(node.address for node in self.cluster.brokers.values() if node.jvm.running)


@pytest.fixture(scope="module", params=["zookeeper", "kraft"])
def watched(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    varve_here: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[WatchedElections]:
    home = tmp_path_factory.mktemp(request.param)
    kinds: dict[str, Callable[[], KafkaCluster]] = {
        "zookeeper": lambda: SlowZooKeeperCluster(home / "cluster", log_dirs=1),
        "kraft": lambda: SlowKRaftCluster(home / "cluster", brokers=3),
    }
    with kinds[request.param]() as cluster:
        create_topic(cluster.bootstrap_servers, "orders", ALL, {"min.insync.replicas": "2"})
        cluster.wait_until_in_sync()
        yield WatchedElections(cluster, home, spark, varve_here)


def test_a_gate_is_closed_while_a_broker_is_down_and_opens_when_it_is_back(
    watched: WatchedElections, varve: Any
) -> None:
    cluster = watched.cluster
    watched.look()
    assert varve(watched.home, "gate", "roll").all == "roll of lab: safe now\n"
    move = varve(watched.home, "gate", "controller-move")
    if isinstance(cluster, KRaftCluster):
        alone = "node 101 is one of 1 voter: without it 0 would be left, and 1 are a majority"
        assert (move.code, move.all) == (3, f"controller-move of lab: not safe now\n  {alone}\n")
    else:
        assert (move.code, move.all) == (0, "controller-move of lab: safe now\n")
    cluster.kill_broker(2)
    watched.look()
    closed = varve(watched.home, "gate", "roll", "--broker", "1")
    assert closed.code == 3
    assert "  broker 2 is not there or fenced, with 4 replicas" in closed.out
    assert "  broker 1: 4 partitions would be under min ISR" in closed.out
    assert varve(watched.home, "gate", "controller-move").code == 3
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.look()
    opened = varve(watched.home, "gate", "roll", "--broker", "1")
    assert (opened.code, opened.all) == (0, "roll of lab: safe now\n")


def test_whoever_is_killed_every_partition_gets_the_leader_and_isr_that_was_said(
    watched: WatchedElections,
) -> None:
    cluster = watched.cluster
    for topic in ("pairs", "single"):
        create_topic(cluster.bootstrap_servers, topic, TOPICS[topic], {"min.insync.replicas": "2"})
    for broker_id in cluster.brokers:
        cluster.wait_until_in_sync()
        watched.look()
        expected, outcomes = watched.said(broker_id)
        assert outcomes[f"single-{broker_id - 1}"] == "offline"
        assert [outcomes[f"orders-{number}"] for number in range(4)] == ["at-min-isr"] * 4
        assert sorted(outcomes.values()).count("under-min-isr") == 2
        cluster.kill_broker(broker_id)
        assert watched.becomes(expected, list(TOPICS)) == expected
        cluster.start_broker(broker_id)
    cluster.wait_until_in_sync()


def test_out_of_sync_replicas_are_elected_only_where_that_is_allowed_and_said(
    watched: WatchedElections,
) -> None:
    cluster = watched.cluster
    throttled = {"follower.replication.throttled.replicas": "*"}
    careless = {**throttled, "unclean.leader.election.enable": "true"}
    create_topic(cluster.bootstrap_servers, "careless", [[1, 2]], careless)
    create_topic(cluster.bootstrap_servers, "careful", [[1, 2]], throttled)
    slowly = ["--alter", "--add-config", "follower.replication.throttled.rate=1"]
    of_broker = [
        "--bootstrap-server",
        cluster.bootstrap_servers,
        "--entity-type",
        "brokers",
        "--entity-name",
        "2",
    ]
    run_tool(kafka_jars(cluster.version), "kafka.admin.ConfigCommand", *of_broker, *slowly)
    cluster.kill_broker(2)
    for _ in range(20):
        produce(cluster.bootstrap_servers, "careless", 1)
        produce(cluster.bootstrap_servers, "careful", 1)
    cluster.start_broker(2)
    topics = ["careless", "careful"]
    watched.look()
    expected, outcomes = watched.said(1)
    assert watched.is_now(topics) == {"careless-0": (1, [1]), "careful-0": (1, [1])}
    assert {name: outcomes[name] for name in ("careless-0", "careful-0")} == {
        "careless-0": "unclean-election",
        "careful-0": "offline",
    }
    cluster.kill_broker(1)
    of_both = {name: expected[name] for name in ("careless-0", "careful-0")}
    assert of_both == {"careless-0": (2, [2]), "careful-0": (-1, [1])}
    assert watched.becomes(of_both, topics) == of_both
