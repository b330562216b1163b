from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]
ORDERS = {"topic": "orders", "topic_id": "dG9waWNzLWlkLTEyMzQ1Ng", "partitions": 1, "replication_factor": 1}


def test_a_topic_id_is_absent_or_22_characters(broken_by: Broken) -> None:
    rows = ORDERS, {"topic": "old", "topic_id": None}, {"topic": "cut", "topic_id": "dG9waWNzLWlkLTEyMzQ1N"}
    assert broken_by("topics", *rows) == {"topic_id is 22 characters when present": "1 row, such as cut"}


def test_a_topic_has_a_name_that_kafka_accepts(broken_by: Broken) -> None:
    rows = ORDERS, {"topic": "__consumer_offsets"}, {"topic": "<b>orders</b>"}
    assert broken_by("topics", *rows) == {
        "topic is a name that Kafka accepts": "1 row, such as <b>orders</b>"
    }


def test_a_topic_has_a_partition_with_a_replica(broken_by: Broken) -> None:
    rows = ORDERS, {"topic": "a", "partitions": 0}, {"topic": "b", "replication_factor": 0}
    assert broken_by("topics", *rows) == {
        "there is at least one partition": "1 row, such as a",
        "there is at least one replica": "1 row, such as b",
    }
