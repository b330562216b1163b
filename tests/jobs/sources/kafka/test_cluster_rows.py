from typing import Any

from jobs.sources.kafka.collect import broker_rows, cluster_row
from jobs.sources.kafka.listings import feature_rows, reassignment_rows
from jobs.sources.kafka.topics import partition_rows, topic_row


def test_the_cluster_is_its_id_and_controller(zookeeper_mode: dict[str, Any]) -> None:
    assert cluster_row(zookeeper_mode["describe_cluster"]) == ("IBYqX5EGQ3OjJ8NDJ7BRZg", 1)


def test_whether_a_broker_is_fenced_is_unknown_before_kafka_4(broker_2_killed: dict[str, Any]) -> None:
    assert list(broker_rows(broker_2_killed["describe_cluster"])) == [(1, "127.0.0.1", 34389, None, None)]


def test_kafka_4_says_who_is_fenced() -> None:
    broker = {"broker_id": 7, "host": "b7", "port": 9092, "rack": "a", "is_fenced": True}
    assert list(broker_rows({"brokers": [broker]})) == [(7, "b7", 9092, "a", True)]


def test_topics_have_ids_in_kafkas_own_form(healthy: dict[str, Any]) -> None:
    assert {topic_row(topic) for topic in healthy["metadata"]["topics"]} == {
        ("orders", "znkgOM6BTcupdjPAxhvoEw", False),
        ("compacted", "Ar9CsQJ3QGyfkrVwdleLXA", False),
        ("my.topic-with--dash", "eWcAhO20RhuiYdOjfQkWlw", False),
    }


def test_a_topic_without_an_id_has_none() -> None:
    old = {"name": "orders", "is_internal": False}
    zero = {**old, "topic_id": "00000000-0000-0000-0000-000000000000"}
    assert topic_row(old) == topic_row(zero) == ("orders", None, False)


def test_an_offline_partition_has_leader_minus_1(broker_2_killed: dict[str, Any]) -> None:
    topics = {topic["name"]: topic for topic in broker_2_killed["metadata"]["topics"]}
    (offline,) = partition_rows(topics["my.topic-with--dash"])
    assert offline == ("my.topic-with--dash", 0, -1, 5, [2], [2], [2], None, None)
    assert [row[5] for row in partition_rows(topics["orders"])] == [[1], [1], [1], [1]]


def test_features_are_those_that_are_finalized() -> None:
    finalized = {"name": "metadata.version", "max_version_level": 21, "min_version_level": 1}
    assert list(feature_rows({"finalized_features": [finalized], "finalized_features_epoch": 9})) == [
        ("metadata.version", 21, 1)
    ]


def test_a_cluster_older_than_features_has_none() -> None:
    assert list(feature_rows({"api_keys": []})) == []


def test_a_reassignment_is_told_by_its_partition() -> None:
    partition = {
        "partition_index": 3,
        "replicas": [1, 2, 4],
        "adding_replicas": [4],
        "removing_replicas": [1],
    }
    assert list(reassignment_rows({"topics": [{"name": "orders", "partitions": [partition]}]})) == [
        ("orders", 3, [1, 2, 4], [4], [1])
    ]
