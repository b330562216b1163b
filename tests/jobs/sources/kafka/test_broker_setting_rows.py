from typing import Any

from jobs.sources.kafka.broker_settings import setting_rows
from jobs.sources.kafka.configs import config_rows

DYNAMIC, DYNAMIC_DEFAULT, STATIC, DEFAULT = 2, 3, 4, 5


def result_of_broker_1(*configs: dict[str, Any]) -> dict[str, Any]:
    return {"resource_name": "1", "configs": list(configs)}


def config(name: str, value: str | None, source: int, *, is_sensitive: bool = False) -> dict[str, Any]:
    return {"name": name, "value": value, "config_source": source, "is_sensitive": is_sensitive}


def test_what_is_in_force_is_kept_with_where_it_comes_from() -> None:
    told = result_of_broker_1(
        config("min.insync.replicas", "2", STATIC),
        config("default.replication.factor", "1", DEFAULT),
        config("unclean.leader.election.enable", "true", DYNAMIC),
        config("replica.lag.time.max.ms", "30000", DYNAMIC_DEFAULT),
    )
    assert list(setting_rows(told)) == [
        (1, "min.insync.replicas", "2", "STATIC_BROKER_CONFIG"),
        (1, "default.replication.factor", "1", "DEFAULT_CONFIG"),
        (1, "unclean.leader.election.enable", "true", "DYNAMIC_BROKER_CONFIG"),
        (1, "replica.lag.time.max.ms", "30000", "DYNAMIC_DEFAULT_BROKER_CONFIG"),
    ]


def test_keys_that_no_judgement_needs_are_left_out() -> None:
    told = result_of_broker_1(
        config("log.dirs", "/var/kafka/d0", STATIC),
        config("ssl.keystore.password", None, STATIC, is_sensitive=True),
    )
    assert list(setting_rows(told)) == []


def test_a_source_of_a_newer_kafka_is_unknown() -> None:
    told = result_of_broker_1(config("min.insync.replicas", "2", 99))
    assert list(setting_rows(told)) == [(1, "min.insync.replicas", "2", None)]


def test_what_was_not_set_is_no_config() -> None:
    """`configs` is about what somebody set: a default in force must not show as a change there."""
    told = result_of_broker_1(
        config("min.insync.replicas", "2", STATIC), config("default.replication.factor", "1", DEFAULT)
    )
    assert list(config_rows("broker", told)) == []
