"""The same questions to the versions that answer them differently; 3.3 is in test_quorum_alone, 3.9 elsewhere."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kafka.protocol.admin import AlterClientQuotasRequest, ListPartitionReassignmentsRequest

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.topics import create_topic, partitions_of
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.sources.kafka.connection.client import KafkaClient
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap

pytestmark = pytest.mark.versions

Land = Callable[[Settings], tuple[dict[str, list[dict[str, Any]]], list[Gap]]]


def knows_orders(node: Node) -> bool:
    return partitions_of(node.address, "orders").keys() == {0}


def prepare(cluster: KafkaCluster) -> None:
    """A topic that every broker knows, and a quota for everybody."""
    create_topic(cluster.bootstrap_servers, "orders", [[1, 2]], {"retention.ms": "60000"})
    for node in cluster.brokers.values():
        wait_until(f"broker {node.node_id} to know the topic", partial(knows_orders, node), [node.jvm], 30)
    everybody = AlterClientQuotasRequest.EntryData(
        entity=[("user", None)], ops=[("request_percentage", 50.0, False)]
    )
    with Servers([cluster.bootstrap_servers.split(",")[0]], Identity(None, None), 30) as servers:
        altered = servers.ask(AlterClientQuotasRequest(entries=[everybody], validate_only=False))
    assert [entry.error_code for entry in altered.entries] == [0]


def told_alike(tables: dict[str, list[dict[str, Any]]]) -> None:
    """What does not differ between versions and modes."""
    assert [(row["topic"], row["replicas"]) for row in tables["admin_partitions"]] == [("orders", [1, 2])]
    assert ("orders", "retention.ms") in {(row["entity"], row["name"]) for row in tables["admin_configs"]}
    assert [tuple(row.values()) for row in tables["admin_quotas"]] == [
        ("<default>", None, None, "request_percentage", 50.0)
    ]
    assert (tables["admin_acls"], tables["admin_reassignments"]) == ([], [])
    assert {row["error"] for row in tables["admin_log_dirs"]} == {None}
    assert {(row["topic"], row["bytes"]) for row in tables["admin_replica_sizes"]} == {("orders", 0)}
    assert [(row["log_start"], row["high_watermark"], row["error"]) for row in tables["admin_offsets"]] == [
        (0, 0, None)
    ]
    assert {(row["compared"], row["differing"]) for row in tables["broker_views"]} == {(1, 0)}
    in_force = {(row["broker_id"], row["name"]): row["value"] for row in tables["broker_settings"]}
    assert in_force[1, "min.insync.replicas"] == "1"


def test_kafka_2_8_tells_everything_but_features_whichever_broker_is_asked(
    tmp_path: Path, land: Land
) -> None:
    with ZooKeeperCluster(tmp_path, brokers=2, version="2.8.2", log_dirs=1) as cluster:
        prepare(cluster)
        for node in cluster.brokers.values():
            tables, gaps = land(Settings(bootstrap_servers=node.address))
            assert gaps == []
            told_alike(tables)
            assert (tables["admin_features"], tables["quorum"]) == ([], [])
            assert tables["admin_log_dir_space"] == []
            assert {row["fenced"] for row in tables["admin_brokers"]} == {None}
        asks_the_controller_that_was_elected_meanwhile(cluster)


def asks_the_controller_that_was_elected_meanwhile(cluster: ZooKeeperCluster) -> None:
    former = cluster.controller_id()
    with Servers([cluster.brokers[former].address], Identity(None, None), 30) as servers:
        client = KafkaClient(servers)
        assert client.cluster()["controller_id"] == former
        cluster.move_controller(*set(cluster.brokers) - {former})
        assert client.ask_controller(ListPartitionReassignmentsRequest(topics=None))["topics"] == []


def test_kafka_4_1_tells_its_features_and_who_is_fenced(tmp_path: Path, land: Land) -> None:
    with KRaftCluster(tmp_path, version="4.1.0") as cluster:
        prepare(cluster)
        cluster.kill_broker(2)
        tables, gaps = land(Settings(bootstrap_servers=cluster.brokers[1].address))
    assert {(gap.scope, gap.reason) for gap in gaps} == {
        ("/configs/broker/2", "unreachable"),
        ("/log_dirs/2", "unreachable"),
        ("/views/2", "unreachable"),
    }
    told_alike(tables)
    assert "inter.broker.protocol.version" not in {row["name"] for row in tables["broker_settings"]}
    assert {row["broker_id"]: row["fenced"] for row in tables["admin_brokers"]} == {1: False, 2: True}
    assert {"metadata.version", "kraft.version", "group.version"} <= {
        row["feature"] for row in tables["admin_features"]
    }
    assert tables["quorum"][0]["leader_id"] == 101
