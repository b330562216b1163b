"""A topic that is being deleted and a partition that is being moved: nothing is wrong with them, and the gates wait."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from kafka import KafkaProducer, TopicPartition
from kafka.admin import KafkaAdminClient
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.node import Node
from jobs.lab.topics import create_topic
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.incidents.losing import Losing

THROTTLED = {"leader.replication.throttled.replicas": "*", "follower.replication.throttled.replicas": "*"}
SAFE = "roll of lab: safe now\n"
NEWEST = "(SELECT max(snapshot_id) FROM snapshots)"


class SlowCluster(ZooKeeperCluster):
    """A follower gets one batch a fetch: of a throttled one that is little more than one every ten seconds."""

    def _properties(self, node: Node) -> dict[str, str]:
        slow = {"replica.fetch.max.bytes": "1", "replica.fetch.response.max.bytes": "1"}
        return super()._properties(node) | slow


@pytest.fixture(scope="module")
def watched(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Losing]:
    home = tmp_path_factory.mktemp("under-way")
    with SlowCluster(home / "cluster", log_dirs=1) as cluster:
        create_topic(cluster.bootstrap_servers, "going", [[1, 3]])
        create_topic(cluster.bootstrap_servers, "moving", [[1, 2]], THROTTLED)
        cluster.wait_until_in_sync()
        watched = Losing(cluster, home, spark)
        watched.look()
        yield watched


def about(watched: Losing, topic: str) -> list[tuple[str]]:
    """The checks that find something open about a topic, or a partition of it."""
    return watched.ask(
        f"SELECT check_id FROM findings WHERE status = 'open' AND subject IN ('{topic}', '{topic}-0')"
    )


def throttle(watched: Losing, *change: str) -> None:
    everybody = ("--entity-type", "brokers", "--entity-default", "--alter")
    watched.tool("kafka-configs.sh", *everybody, *change)


def write_batches(watched: Losing, topic: str, batches: int) -> None:
    with closing(KafkaProducer(bootstrap_servers=watched.cluster.bootstrap_servers, acks=1)) as producer:
        for _ in range(batches):
            producer.send(topic, b"record", partition=0).get(timeout=30)


def test_a_topic_whose_deletion_waits_for_a_dead_broker_misses_no_replica(watched: Losing) -> None:
    cluster = watched.cluster
    assert (watched.incidents(), watched.gate("roll")) == ({}, SAFE)
    cluster.kill_broker(3)
    watched.wait_for_isr("going", {1})
    with closing(KafkaAdminClient(bootstrap_servers=cluster.brokers[1].address)) as admin:
        admin.delete_topics(["going"])
    watched.look()
    assert watched.ask("SELECT deletion_pending FROM topics WHERE topic = 'going'") == [(True,)]
    assert about(watched, "going") == []
    assert "  being deleted: 1 topic (going)" in watched.gate("roll")
    cluster.start_broker(3)
    wait_until("its end", lambda: not is_there(cluster, "going"), cluster.servers, 60)
    watched.look()
    assert watched.incidents() == {}
    assert watched.ask(
        f"SELECT subject FROM events WHERE event = 'topic-deleted' AND snapshot_id = {NEWEST}"
    ) == [("going",)]
    assert watched.gate("roll") == SAFE


def test_a_partition_that_is_being_moved_has_no_more_replicas_than_before_and_none_missing(
    watched: Losing,
) -> None:
    cluster = watched.cluster
    write_batches(watched, "moving", 20)
    rates = "leader.replication.throttled.rate=1,follower.replication.throttled.rate=1"
    throttle(watched, "--add-config", rates)
    with closing(KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)) as admin:
        admin.alter_partition_reassignments({TopicPartition("moving", 0): [1, 3]})
        watched.look()
        adding = "SELECT replicas, adding, removing, list_sort(isr) FROM partitions WHERE topic = 'moving'"
        assert watched.ask(adding) == [([1, 3, 2], [3], [2], [1, 2])]
        assert watched.ask("SELECT replication_factor FROM topics WHERE topic = 'moving'") == [(2,)]
        assert about(watched, "moving") == []
        assert watched.incidents() == {}
        assert "  being reassigned: 1 partition (moving-0)" in watched.gate("roll")
        throttle(
            watched,
            "--delete-config",
            "leader.replication.throttled.rate,follower.replication.throttled.rate",
        )
        wait_until("its end", lambda: not admin.list_partition_reassignments(), cluster.servers, 300)
    watched.look()
    told = f"SELECT event, reason FROM events WHERE subject = 'moving-0' AND snapshot_id = {NEWEST}"
    assert set(watched.ask(told)) == {
        ("assignment-changed", None),
        ("reassignment-finished", None),
        ("isr-grew", None),  # by the replica that was being added
    }
    assert (watched.incidents(), watched.gate("roll")) == ({}, SAFE)


def is_there(cluster: ZooKeeperCluster, topic: str) -> bool:
    with cluster.client() as client:
        places = (f"/brokers/topics/{topic}", f"/admin/delete_topics/{topic}")
        return any(client.exists(place) is not None for place in places)
