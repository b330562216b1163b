"""The Kafka source against real clusters, in ZooKeeper mode and under KRaft."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from kafka.admin import AlterConfigOp, KafkaAdminClient
from kafka.protocol.admin import AlterPartitionReassignmentsRequest, IncrementalAlterConfigsRequest

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.broker_settings import KEYS
from jobs.sources.kafka.configs import BROKER
from jobs.sources.kafka.connection.client import KafkaClient
from jobs.sources.kafka.connection.failures import NoAnswerError
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.probe import probe
from jobs.sources.kafka.quorum import partition_of, quorum_of_brokers
from jobs.sources.kafka.settings import Settings
from jobs.sources.kafka.topics import land_topics
from jobs.storage import open_storage
from schemas.snapshots import Gap

Land = Callable[[Settings], tuple[dict[str, list[dict[str, Any]]], list[Gap]]]


@pytest.fixture(scope="module")
def kraft(kraft_cluster: KRaftCluster) -> KRaftCluster:
    create_topic(kraft_cluster.bootstrap_servers, "asked", [[1, 2], [2, 1]], {"retention.ms": "3600000"})
    create_topic(kraft_cluster.bootstrap_servers, "alone", [[2]])
    create_topic(kraft_cluster.bootstrap_servers, "waiting", [[1]])
    return kraft_cluster


def settings_of(cluster: KRaftCluster | ZooKeeperCluster) -> Settings:
    return Settings(bootstrap_servers=cluster.bootstrap_servers)


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


def directory_id(cluster: KRaftCluster, node_id: int) -> str:
    lines = (cluster.log_dirs(node_id)[0] / "meta.properties").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["directory.id"]


@pytest.fixture
def broker_1_has_a_password(kraft: KRaftCluster) -> Iterator[None]:
    """Two dynamic configs of broker 1, one of them a password."""
    names = {"listener.name.internal.ssl.keystore.password": "canary-8731", "log.cleaner.threads": "2"}
    alter_broker_1(kraft, [(name, AlterConfigOp.SET.value, value) for name, value in names.items()])
    yield
    alter_broker_1(kraft, [(name, AlterConfigOp.DELETE.value, None) for name in names])


def alter_broker_1(cluster: KRaftCluster, configs: list[tuple[str, int, str | None]]) -> None:
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    request = IncrementalAlterConfigsRequest(resources=[(BROKER, "1", configs)], validate_only=False)
    reply = admin._manager.run(admin._manager.send, request, 1)
    admin.close()
    assert [response.error_code for response in reply.responses] == [0]


def test_a_kraft_cluster_tells_its_topics_brokers_and_quorum(kraft: KRaftCluster, land: Land) -> None:
    tables, gaps = land(settings_of(kraft))
    assert gaps == []
    assert [row["controller_id"] for row in tables["admin_cluster"]] == [None]
    assert {row["broker_id"] for row in tables["admin_brokers"]} == {1, 2}
    asked = {row["partition"]: row for row in tables["admin_partitions"] if row["topic"] == "asked"}
    assert [asked[number]["replicas"] for number in (0, 1)] == [[1, 2], [2, 1]]
    assert tables["quorum"][0]["leader_id"] == 101
    assert {(row["node_id"], row["role"]) for row in tables["quorum_members"]} == {
        (101, "voter"),
        (1, "observer"),
        (2, "observer"),
    }


def test_topic_ids_and_directory_ids_are_written_as_on_disk(kraft: KRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(kraft))
    (topic_id,) = (row["topic_id"] for row in tables["admin_topics"] if row["topic"] == "asked")
    (written,) = {
        path.read_text().split("topic_id: ")[1]
        for broker in (1, 2)
        for log_dir in kraft.log_dirs(broker)
        for path in log_dir.glob("asked-*/partition.metadata")
    }
    assert topic_id == written
    assert {row["node_id"]: row["directory_id"] for row in tables["quorum_members"]} == {
        node: directory_id(kraft, node) for node in (1, 2, 101)
    }


@pytest.mark.usefixtures("broker_1_has_a_password")
def test_configs_that_were_set_are_told_and_passwords_are_not(kraft: KRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(kraft))
    configs = {(row["entity"], row["name"]): row["value"] for row in tables["admin_configs"]}
    assert configs[("asked", "retention.ms")] == "3600000"
    assert configs[("1", "log.cleaner.threads")] == "2"
    assert configs[("1", "listener.name.internal.ssl.keystore.password")] is None
    assert "canary-8731" not in repr(tables)


@pytest.mark.usefixtures("broker_1_has_two_in_sync")
def test_what_brokers_go_by_is_told_with_where_it_comes_from(kraft: KRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(kraft))
    settings = {
        (row["broker_id"], row["name"]): (row["value"], row["source"]) for row in tables["broker_settings"]
    }
    assert settings[1, "min.insync.replicas"] == ("2", "DYNAMIC_BROKER_CONFIG")
    assert settings[2, "min.insync.replicas"] == ("1", "DEFAULT_CONFIG")
    assert settings[2, "auto.leader.rebalance.enable"] == ("false", "STATIC_BROKER_CONFIG")
    assert settings[1, "unclean.leader.election.enable"] == ("false", "DEFAULT_CONFIG")
    assert {name for _, name in settings} == KEYS


@pytest.fixture
def broker_1_has_two_in_sync(kraft: KRaftCluster) -> Iterator[None]:
    alter_broker_1(kraft, [("min.insync.replicas", AlterConfigOp.SET.value, "2")])
    yield
    alter_broker_1(kraft, [("min.insync.replicas", AlterConfigOp.DELETE.value, None)])


def test_a_killed_broker_is_still_an_observer_and_its_config_is_a_gap(
    kraft: KRaftCluster, land: Land
) -> None:
    kraft.kill_broker(2)
    tables, gaps = land(settings_of(kraft))
    kraft.start_broker(2)
    kraft.wait_until_in_sync()
    assert [row["broker_id"] for row in tables["admin_brokers"]] == [1]
    assert 2 in {row["node_id"] for row in tables["quorum_members"] if row["role"] == "observer"}
    partitions = {(row["topic"], row["partition"]): row for row in tables["admin_partitions"]}
    assert [(row["leader"], row["isr"]) for row in (partitions["asked", 0], partitions["alone", 0])] == [
        (1, [1]),
        (-1, [2]),
    ]
    assert {(gap.scope, gap.reason) for gap in gaps} == {
        ("/configs/broker/2", "unreachable"),
        ("/log_dirs/2", "unreachable"),
    }


def test_topics_come_whole_from_pages_that_cut_them(kraft: KRaftCluster, land: Land, tmp_path: Path) -> None:
    whole, _ = land(settings_of(kraft))
    in_parts = Landing(open_storage(tmp_path), "kafka", Redactor(None))
    with Servers([kraft.brokers[1].address], Identity(None, None), 15) as servers:
        land_topics(KafkaClient(servers), in_parts, partitions_per_page=1)
    in_parts.flush()
    assert in_parts.gaps == []
    topics, partitions = (
        rows_of(in_parts, tmp_path, table) for table in ("admin_topics", "admin_partitions")
    )
    assert {row["topic"] for row in topics} >= {"alone", "asked", "waiting"}
    assert topics == whole["admin_topics"]
    assert partitions == whole["admin_partitions"]


def rows_of(landing: Landing, folder: Path, table: str) -> list[dict[str, Any]]:
    return [row for file in landing.files[table] for row in pq.read_table(folder / file).to_pylist()]


def test_a_reassignment_that_waits_for_a_broker_is_told(kraft: KRaftCluster, land: Land) -> None:
    kraft.kill_broker(2)
    reassign(kraft, [2])
    tables, _ = land(settings_of(kraft))
    assert [tuple(row.values()) for row in tables["admin_reassignments"]] == [
        ("waiting", 0, [2, 1], [2], [1])
    ]
    reassign(kraft, None)
    kraft.start_broker(2)
    kraft.wait_until_in_sync()


def reassign(cluster: KRaftCluster, replicas: list[int] | None) -> None:
    """Move partition 0 of topic waiting there, or leave it where it is."""
    topic = AlterPartitionReassignmentsRequest.ReassignableTopic
    partition = topic.ReassignablePartition(partition_index=0, replicas=replicas)
    request = AlterPartitionReassignmentsRequest(topics=[topic(name="waiting", partitions=[partition])])
    with Servers([cluster.brokers[1].address], Identity(None, None), 30) as servers:
        reply = servers.ask(request)
    assert (reply.error_code, reply.responses[0].partitions[0].error_code) == (0, 0)


def test_when_a_broker_dies_between_two_questions_another_is_asked(kraft: KRaftCluster) -> None:
    with Servers([node.address for node in kraft.brokers.values()], Identity(None, None), 15) as servers:
        client = KafkaClient(servers)
        assert len(client.cluster()["brokers"]) == 2
        kraft.kill_broker(1)
        assert [broker["broker_id"] for broker in client.cluster()["brokers"]] == [2]
    kraft.start_broker(1)
    kraft.wait_until_in_sync()


def test_a_server_that_does_not_answer_costs_its_share_of_the_time(kraft: KRaftCluster, land: Land) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        servers = f"127.0.0.1:{silent.getsockname()[1]},{kraft.bootstrap_servers}"
        tables, gaps = land(Settings(bootstrap_servers=servers, timeout_s=6))
    assert gaps == []
    assert {row["broker_id"] for row in tables["admin_brokers"]} == {1, 2}


def test_zookeeper_mode_has_no_quorum_and_that_is_no_gap(
    zookeeper_cluster: ZooKeeperCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(zookeeper_cluster))
    assert gaps == []
    assert {row["broker_id"] for row in tables["admin_brokers"]} == {1, 2, 3}
    assert tables["admin_cluster"][0]["controller_id"] in (1, 2, 3)
    assert (tables["quorum"], tables["quorum_members"], tables["quorum_progress"]) == ([], [], [])


def test_what_one_broker_does_not_know_another_is_asked_for(
    kraft: KRaftCluster, zookeeper_cluster: ZooKeeperCluster
) -> None:
    """In the midst of a migration some brokers know the quorum and some do not."""
    with Servers([zookeeper_cluster.brokers[1].address], Identity(None, None), 15) as servers:
        client = KafkaClient(servers)
        client.cluster()
        assert quorum_of_brokers(client) is None
        client.know({1: zookeeper_cluster.brokers[1].address, 9: kraft.brokers[1].address})
        reply = quorum_of_brokers(client)
    assert reply is not None
    assert partition_of(reply)["leader_id"] == 101


def test_what_a_broker_that_is_silent_may_know_is_not_taken_for_unknown(
    zookeeper_cluster: ZooKeeperCluster, nobody: str
) -> None:
    with Servers([zookeeper_cluster.brokers[1].address], Identity(None, None), 15) as servers:
        client = KafkaClient(servers)
        client.know({1: zookeeper_cluster.brokers[1].address, 9: nobody})
        with pytest.raises(NoAnswerError, match="Connection refused"):
            quorum_of_brokers(client)


def test_doctor_hears_of_both_kinds(kraft: KRaftCluster, zookeeper_cluster: ZooKeeperCluster) -> None:
    told = {line.what: line.message for line in probe(settings_of(zookeeper_cluster))}
    assert told["state of the metadata quorum"] == "none: this cluster lives on ZooKeeper"
    told = {line.what: line.message for line in probe(settings_of(kraft))}
    assert told["state of the metadata quorum"].startswith("led by node 101, epoch ")
    del told["state of the metadata quorum"]
    assert told == {
        f"Kafka at {kraft.bootstrap_servers}": "2 brokers, asked without a login, without TLS",
        "topics": "3 found",
        "configs of topics": "readable, tried with one topic",
        "configs of brokers": "readable on all 2",
        "log dirs of brokers": "readable on all 2",
        "features": "2 found",
        "ACLs": "0 found",
        "client quotas": "0 found",
        "SCRAM users": "0 found",
        "reassignments": "0 found",
    }
