"""From the config znodes of users, clients and addresses to a row a quota."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.quotas import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

MARK = "hmac:0123456789abcdef0123456789abcdef"


def test_the_quotas_of_a_real_cluster_with_the_names_as_they_are(recorded: DataFrame, rows_of: Rows) -> None:
    both = "/config/users/al%20ice%2A/clients/app%2F1"
    assert rows_of("quotas", from_zookeeper(recorded)) == [
        (
            "<default>",
            "<default>",
            None,
            *quota("consumer_byte_rate", 4096, "users/<default>/clients/<default>"),
        ),
        ("al ice*", "app/1", None, "consumer_byte_rate", 2048.0, both, None),
        ("al ice*", None, None, *quota("producer_byte_rate", 1024, "users/al%20ice%2A")),
        ("al ice*", None, None, *quota("request_percentage", 12.5, "users/al%20ice%2A")),
        (None, "<default>", None, *quota("controller_mutation_rate", 5, "clients/<default>")),
        (None, None, "127.0.0.1", *quota("connection_creation_rate", 3, "ips/127.0.0.1")),
    ]


def quota(name: str, value: float, entity: str) -> tuple[Any, ...]:
    return (name, float(value), f"/config/{entity}", None)


def test_credentials_and_what_is_configured_elsewhere_are_no_quotas(znodes: Frame, rows_of: Rows) -> None:
    config = '{"version":1,"config":{"x":"1"}}'
    others = ("topics/orders", "brokers/1", "users/u/clients", "users/u/clients/c/d", "ips/i/clients/c")
    tree: dict[str, Any] = {f"/config/{path}": config for path in others}
    tree["/config/users/alice"] = {
        "data": f'{{"version":1,"config":{{"SCRAM-SHA-256":"{MARK},iterations=4096","SCRAM-SHA-512":"{MARK}"}}}}',
        "encoding": "redacted",
    }
    assert rows_of("quotas", from_zookeeper(znodes(tree))) == []


def test_a_value_that_is_no_number_is_a_problem(znodes: Frame, rows_of: Rows) -> None:
    keys = f'"a":"fast","b":null,"c":7,"d":"","e":"{MARK}","f":"1e3"'
    tree = {"/config/clients/app": f'{{"version":1,"config":{{{keys}}}}}'}
    problem = "the quota is not a number"
    assert rows_of("quotas", from_zookeeper(znodes(tree)), "name", "value", "problem") == [
        ("a", None, problem),
        ("b", None, problem),
        ("c", 7.0, None),
        ("d", None, problem),
        ("e", None, problem),
        ("f", 1000.0, None),
    ]


def test_a_name_that_only_looks_like_the_default_is_not_taken_for_it(znodes: Frame, rows_of: Rows) -> None:
    config = '{"config":{"x":"1"}}'
    names = ("<default>", "%3Cdefault%3E", "100%", "a+b")
    made = from_zookeeper(znodes({f"/config/users/{name}": config for name in names}))
    assert rows_of("quotas", made, "user") == [("%3Cdefault%3E",), ("100%",), ("<default>",), ("a b",)]


def test_two_znodes_of_one_name_are_one_quota_and_of_two_equal_keys_the_last_counts(
    znodes: Frame, rows_of: Rows
) -> None:
    tree = {
        "/config/users/a%20b": '{"config":{"x":"1"}}',
        "/config/users/a+b": '{"config":{"x":"2","y":"3","y":"4"}}',
    }
    made = from_zookeeper(znodes(tree))
    assert rows_of("quotas", made, "user", "name", "value") == [("a b", "x", 2.0), ("a b", "y", 4.0)]


def test_a_malformed_entity_is_a_row_with_a_problem_and_no_name(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    # A config znode without any data is how Kafka writes an entity that has none.
    garbage = [data for data in malformed if data is not None]
    tree: dict[str, Any] = {f"/config/users/u{n}": data for n, data in enumerate(garbage)}
    tree |= {"/config/users/v/clients/c": '{"version":1}'}
    rows = rows_of("quotas", from_zookeeper(znodes(tree)), "user", "client_id", "name", "problem")
    assert rows == sorted(
        [
            *((f"u{n}", None, "", "the znode is not a JSON object") for n in range(len(garbage))),
            ("v", "c", "", "the znode has no config object"),
        ],
        key=str,
    )


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = frame("admin_quotas", {"user": "alice", "name": "request_percentage", "value": 12.5})
    assert rows_of("quotas", from_kafka(described)) == [
        ("alice", None, None, "request_percentage", 12.5, None, None)
    ]
