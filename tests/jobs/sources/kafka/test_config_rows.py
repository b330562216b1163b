from typing import Any

from jobs.sources.kafka.configs import config_rows


def rows(scope: str, results: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [row for result in results for row in config_rows(scope, result)]


def test_of_a_topic_only_what_was_set_on_it_is_kept(healthy: dict[str, Any]) -> None:
    assert set(rows("topic", healthy["describe_topic_configs"]["results"])) == {
        ("topic", "orders", "retention.ms", "3600000", False, "DYNAMIC_TOPIC_CONFIG"),
        ("topic", "compacted", "cleanup.policy", "compact", False, "DYNAMIC_TOPIC_CONFIG"),
    }


def test_of_a_broker_only_what_was_set_on_it_is_kept_and_secrets_are_not(healthy: dict[str, Any]) -> None:
    assert set(rows("broker", healthy["describe_broker_configs"]["results"])) == {
        ("broker", "<default>", "message.max.bytes", "2000000", False, "DYNAMIC_DEFAULT_BROKER_CONFIG"),
        ("broker", "1", "log.cleaner.threads", "2", False, "DYNAMIC_BROKER_CONFIG"),
        ("broker", "1", "my.custom.thing", None, True, "DYNAMIC_BROKER_CONFIG"),
        ("broker", "1", "my.custom.secret", None, True, "DYNAMIC_BROKER_CONFIG"),
        (
            "broker",
            "1",
            "listener.name.internal.ssl.keystore.password",
            None,
            True,
            "DYNAMIC_BROKER_CONFIG",
        ),
    }


def test_zookeeper_mode_and_kraft_tell_a_broker_config_alike(
    healthy: dict[str, Any], zookeeper_mode: dict[str, Any]
) -> None:
    threads = ("broker", "1", "log.cleaner.threads", "2", False, "DYNAMIC_BROKER_CONFIG")
    for recorded in (healthy, zookeeper_mode):
        assert threads in rows("broker", recorded["describe_broker_configs"]["results"])


def test_a_value_of_an_unknown_key_is_dropped_even_if_kafka_shows_it() -> None:
    config = {
        "name": "my.key",
        "config_source": 2,
        "is_sensitive": False,
        "config_type": 0,
        "value": "canary",
    }
    assert rows("broker", [{"resource_name": "1", "configs": [config]}]) == [
        ("broker", "1", "my.key", None, True, "DYNAMIC_BROKER_CONFIG")
    ]


def test_an_old_broker_that_does_not_tell_types_is_trusted() -> None:
    config = {"name": "retention.ms", "config_source": 1, "is_sensitive": False, "value": "1"}
    assert rows("topic", [{"resource_name": "orders", "configs": [config]}]) == [
        ("topic", "orders", "retention.ms", "1", False, "DYNAMIC_TOPIC_CONFIG")
    ]
