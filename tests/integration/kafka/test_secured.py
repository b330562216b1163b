"""A broker that asks who is there: what it shows to whom, by the rights that each has."""

from collections.abc import Callable
from typing import Any

import pytest
from kafka.protocol.admin import AlterClientQuotasRequest, CreateAclsRequest

from jobs.lab.secured_mode import SecuredKRaftCluster
from jobs.lab.topics import create_topic
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.probe import probe
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap
from tests.integration.kafka.secured import SCRAM_USER, let_scram_in, settings_of

Land = Callable[[Settings], tuple[dict[str, list[dict[str, Any]]], list[Gap]]]

pytestmark = pytest.mark.usefixtures("passwords")

TOPIC, CLUSTER, LITERAL, PREFIXED, ALL, DESCRIBE, DESCRIBE_CONFIGS, DENY, ALLOW = 2, 4, 3, 4, 2, 8, 10, 2, 3
RIGHTS = [
    (TOPIC, "*", LITERAL, "User:varve", "*", DESCRIBE, ALLOW),
    (TOPIC, "*", LITERAL, "User:varve", "*", DESCRIBE_CONFIGS, ALLOW),
    (CLUSTER, "kafka-cluster", LITERAL, "User:varve", "*", DESCRIBE, ALLOW),
    (CLUSTER, "kafka-cluster", LITERAL, "User:varve", "*", DESCRIBE_CONFIGS, ALLOW),
    (TOPIC, "orders", PREFIXED, "User:team", "*", DESCRIBE, ALLOW),
    (TOPIC, "payments", LITERAL, "User:denied", "*", ALL, DENY),
    (TOPIC, "long-gone", LITERAL, "User:team", "*", DESCRIBE, ALLOW),
    (TOPIC, "pay", PREFIXED, "User:kept-out", "*", DESCRIBE, DENY),
    (TOPIC, "orders", LITERAL, "User:denied", "*", DESCRIBE_CONFIGS, ALLOW),
    *(
        (TOPIC, "*", LITERAL, f"User:{user}", "*", DESCRIBE, ALLOW)
        for user in ("denied", "kept-out", "unaware")
    ),
    *(
        (CLUSTER, "kafka-cluster", LITERAL, f"User:{user}", "*", DESCRIBE, ALLOW)
        for user in ("denied", "kept-out")
    ),
]
"""User varve may do what docs/rights.md asks for, team describe the topics that begin with orders, and three others all
topics but one, or but those that begin with pay, or all of them but not the ACLs."""


@pytest.fixture(scope="module")
def cluster(secured_cluster: SecuredKRaftCluster) -> SecuredKRaftCluster:
    create_topic(secured_cluster.bootstrap_servers, "payments", [[1]])
    create_topic(secured_cluster.bootstrap_servers, "shipments", [[1]])
    let_scram_in(secured_cluster)
    with Servers([secured_cluster.bootstrap_servers], Identity(None, None), 30) as servers:
        granted = servers.ask(CreateAclsRequest(creations=RIGHTS))
        limited = servers.ask(AlterClientQuotasRequest(entries=quotas(), validate_only=False))
    assert {result.error_code for result in (*granted.results, *limited.entries)} == {0}
    return secured_cluster


def quotas() -> list[Any]:
    """Of user alice with any client, and of one address."""
    entry = AlterClientQuotasRequest.EntryData
    alice = [("user", "alice"), ("client-id", None)]
    return [
        entry(entity=alice, ops=[("request_percentage", 12.5, False)]),
        entry(entity=[("ip", "10.0.0.1")], ops=[("connection_creation_rate", 7.0, False)]),
    ]


def test_the_rights_in_the_docs_suffice_for_everything(cluster: SecuredKRaftCluster, land: Land) -> None:
    tables, gaps = land(settings_of(cluster))
    assert gaps == []
    assert {row["topic"] for row in tables["admin_topics"]} == {"orders", "payments", "shipments"}
    assert {row["name"] for row in tables["admin_configs"]} == {"retention.ms"}
    assert tables["admin_scram_credentials"] == [
        {"user": SCRAM_USER, "mechanism": "SCRAM-SHA-512", "iterations": 4096}
    ]
    assert [tables["quorum"][0]["leader_id"], len(tables["quorum_members"])] == [101, 2]


def test_acls_are_told_in_the_writing_of_zookeeper(cluster: SecuredKRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(cluster))
    assert {tuple(row.values()) for row in tables["admin_acls"]} >= {
        ("Topic", "literal", "*", "User:varve", "*", "Describe", "Allow"),
        ("Topic", "literal", "*", "User:varve", "*", "DescribeConfigs", "Allow"),
        ("Cluster", "literal", "kafka-cluster", "User:varve", "*", "Describe", "Allow"),
        ("Cluster", "literal", "kafka-cluster", "User:varve", "*", "DescribeConfigs", "Allow"),
        ("Topic", "prefixed", "orders", "User:team", "*", "Describe", "Allow"),
        ("Topic", "literal", "payments", "User:denied", "*", "All", "Deny"),
    }
    assert len(tables["admin_acls"]) == len(RIGHTS)


def test_quotas_are_told_with_the_default_entity(cluster: SecuredKRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(cluster))
    assert {tuple(row.values()) for row in tables["admin_quotas"]} == {
        ("alice", "<default>", None, "request_percentage", 12.5),
        (None, None, "10.0.0.1", "connection_creation_rate", 7.0),
    }


def test_features_are_the_versions_of_the_cluster(cluster: SecuredKRaftCluster, land: Land) -> None:
    tables, _ = land(settings_of(cluster))
    assert {(row["feature"], row["level"]) for row in tables["admin_features"]} == {
        ("metadata.version", 21),
        ("kraft.version", 1),
    }


def test_whoever_may_do_nothing_gets_gaps_and_deletes_nothing(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(cluster, user="stranger"))
    assert {(gap.scope, gap.reason) for gap in gaps} == {
        (scope, "unauthorized")
        for scope in (
            "/topics",
            "/configs/topic",
            "/configs/broker",
            "/configs/broker/<default>",
            "/configs/broker/1",
            "/log_dirs/1",
            "/views",
            "/acls",
            "/quotas",
            "/scram_credentials",
            "/reassignments",
            "/quorum",
        )
    }
    assert {name for name, rows in tables.items() if rows} == {
        "admin_cluster",
        "admin_brokers",
        "admin_features",
    }


def test_topics_that_may_not_be_described_are_not_taken_for_deleted(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(cluster, user="team"))
    assert [row["topic"] for row in tables["admin_topics"]] == ["orders"]
    messages = {gap.scope: gap.message for gap in gaps}
    assert (
        "brokers are silent about the topics that Varve's principal may not describe" in messages["/topics"]
    )
    assert {"/topics", "/configs/topic", "/configs/broker"} <= set(messages)


def test_a_topic_that_one_acl_denies_is_not_taken_for_deleted(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(cluster, user="denied"))
    assert [row["topic"] for row in tables["admin_topics"]] == ["orders", "shipments"]
    of_topics = {gap.scope: gap for gap in gaps if gap.scope.startswith(("/topics", "/configs/topic"))}
    assert {scope: gap.reason for scope, gap in of_topics.items()} == {
        "/topics/payments": "unauthorized",
        "/configs/topic/payments": "unauthorized",
        "/configs/topic/shipments": "unauthorized",
    }
    assert of_topics["/topics/payments"].message == (
        "Kafka refuses the topics (payments, if there is such a topic) (TopicAuthorizationFailedError): grant Varve's "
        "principal DESCRIBE on all topics."
    )


def test_topics_whose_beginning_an_acl_denies_are_not_taken_for_deleted(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    _, gaps = land(settings_of(cluster, user="kept-out"))
    messages = {gap.scope: gap.message for gap in gaps}
    assert "it may not describe those that begin with pay: grant it" in messages["/topics"]
    assert [scope for scope in messages if scope.startswith("/configs/topic")] == ["/configs/topic"]
    assert {"/topics", "/configs/topic", "/configs/broker"} <= set(messages)


def test_whoever_may_not_see_the_acls_does_not_know_which_topics_they_deny(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(cluster, user="unaware"))
    assert [row["topic"] for row in tables["admin_topics"]] == ["orders", "payments", "shipments"]
    messages = {gap.scope: gap.message for gap in gaps}
    assert messages["/topics"] == (
        "Kafka did not return the topics: an ACL may hide topics, and Varve's principal may not see the ACLs: "
        "grant it DESCRIBE on the cluster. Until then no topic counts as deleted."
    )


def test_doctor_says_which_rights_are_missing(cluster: SecuredKRaftCluster) -> None:
    missing = {
        line.what: line.message.partition("grant ")[2]
        for line in probe(settings_of(cluster, user="stranger"))
    }
    assert missing["ACLs"] == "Varve's principal DESCRIBE on the cluster."
    assert missing["configs of brokers"] == "Varve's principal DESCRIBE_CONFIGS on the cluster."
    assert missing["topics"].startswith("it DESCRIBE on all topics (--topic '*')")
    assert [line.what for line in probe(settings_of(cluster)) if not line.ok] == []


def test_controllers_are_asked_with_the_same_login(cluster: SecuredKRaftCluster, land: Land) -> None:
    tables, gaps = land(
        settings_of(cluster, bootstrap_servers=None, bootstrap_controllers=cluster.secured_controllers)
    )
    assert tables["quorum"][0]["leader_id"] == 101
    assert {(gap.scope, gap.reason) for gap in gaps} == {
        (scope, "not-collected")
        for scope in (
            "/cluster",
            "/topics",
            "/configs",
            "/log_dirs",
            "/offsets",
            "/views",
            "/features",
            "/acls",
            "/quotas",
            "/scram_credentials",
            "/reassignments",
        )
    }
