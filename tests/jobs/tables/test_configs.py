"""From a config znode to a row a key; secrets are fingerprints already when they come here."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.configs import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

MARK = "hmac:0123456789abcdef0123456789abcdef"


def config(**keys: str) -> str:
    inner = ",".join(f'"{name.replace("_", ".")}":"{value}"' for name, value in keys.items())
    return f'{{"version":1,"config":{{{inner}}}}}'


def test_topics_and_brokers_are_read_and_what_has_quotas_is_not(znodes: Frame, rows_of: Rows) -> None:
    tree = {
        "/config/topics/orders": config(retention_ms="604800000", cleanup_policy="compact"),
        "/config/brokers/1": config(log_cleaner_threads="2"),
        "/config/brokers/<default>": config(message_max_bytes="1048588"),
        "/config/users/alice": config(producer_byte_rate="1"),
        "/config/clients/app": config(producer_byte_rate="2"),
        "/config/ips/127.0.0.1": config(connection_creation_rate="3"),
    }
    made = from_zookeeper(znodes(tree))
    assert rows_of("configs", made, "scope", "entity", "name", "value") == [
        ("broker", "1", "log.cleaner.threads", "2"),
        ("broker", "<default>", "message.max.bytes", "1048588"),
        ("topic", "orders", "cleanup.policy", "compact"),
        ("topic", "orders", "retention.ms", "604800000"),
    ]


def test_what_holds_no_config_is_none(znodes: Frame, rows_of: Rows) -> None:
    tree = {
        "/config": None,
        "/config/topics": None,
        "/config/topics/orders": config(),
        "/config/brokers/1": None,
        "/config/changes/config_change_0000000000": '{"version":2,"entity_path":"topics/orders"}',
    }
    assert rows_of("configs", from_zookeeper(znodes(tree))) == []


def test_a_redacted_value_is_a_fingerprint_and_never_a_value(znodes: Frame, rows_of: Rows) -> None:
    keys = config(ssl_keystore_password=MARK, sasl_jaas_config="present", log_cleaner_threads="2")
    tree = {"/config/brokers/1": {"data": keys, "encoding": "redacted"}}
    made = from_zookeeper(znodes(tree))
    assert rows_of("configs", made, "name", "value", "fingerprint") == [
        ("log.cleaner.threads", "2", None),
        ("sasl.jaas.config", None, "present"),
        ("ssl.keystore.password", None, MARK),
    ]


def test_a_value_that_looks_like_a_fingerprint_is_a_value_where_nothing_was_redacted(
    znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/config/topics/orders": config(note=MARK)}))
    assert rows_of("configs", made, "value", "fingerprint") == [(MARK, None)]


def test_a_value_may_be_unknown_or_written_as_a_number(znodes: Frame, rows_of: Rows) -> None:
    tree = {"/config/topics/orders": '{"version":1,"config":{"a":null,"b":7,"c":"","d":"null"}}'}
    made = from_zookeeper(znodes(tree))
    assert rows_of("configs", made, "name", "value", "problem") == [
        ("a", None, None),
        ("b", "7", None),
        ("c", "", None),
        ("d", "null", None),
    ]


def test_a_malformed_config_is_a_row_with_a_problem_and_no_name(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    # A config znode without any data is how Kafka writes an entity that has none.
    garbage = [data for data in malformed if data is not None]
    tree: dict[str, Any] = {f"/config/topics/t{n}": data for n, data in enumerate(garbage)}
    tree |= {"/config/topics/x1": '{"version":1}', "/config/topics/x2": '{"version":1,"config":"x"}'}
    tree |= {
        "/config/topics/x3": '{"config":[1]}',
        "/config/brokers/1": {"data": MARK, "encoding": "redacted"},
    }
    rows = rows_of("configs", from_zookeeper(znodes(tree)))
    no_object = [
        (scope, entity, "", None, None, "the znode is not a JSON object")
        for scope, entity in [*(("topic", f"t{n}") for n in range(len(garbage))), ("broker", "1")]
    ]
    no_config = [
        ("topic", name, "", None, None, "the znode has no config object") for name in ("x1", "x2", "x3")
    ]
    assert rows == sorted(no_object + no_config, key=str)


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = frame(
        "admin_configs",
        {"scope": "topic", "entity": "orders", "name": "retention.ms", "value": "1", "is_sensitive": False},
        {"scope": "broker", "entity": "1", "name": "ssl.key.password", "is_sensitive": True},
    )
    assert rows_of("configs", from_kafka(described)) == [
        ("broker", "1", "ssl.key.password", None, None, None),
        ("topic", "orders", "retention.ms", "1", None, None),
    ]


def test_of_two_equal_keys_the_last_counts_as_in_kafka(znodes: Frame, rows_of: Rows) -> None:
    tree = {"/config/topics/orders": '{"version":1,"config":{"a":"1","b":"2","a":"3"}}'}
    made = from_zookeeper(znodes(tree))
    assert rows_of("configs", made, "name", "value") == [("a", "3"), ("b", "2")]
