"""From the znodes of both ACL stores to a row an entry."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.acls import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

ORDERS = "/kafka-acl/Topic/orders"
ENTRY = '{"principal":"User:alice","permissionType":"Allow","operation":"Read","host":"*"}'


def test_literal_and_prefixed_entries_of_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    bob, group, pay = ("User:bob", "10.0.0.7", "All", "Deny"), "/kafka-acl/Group/*", "/kafka-acl/Topic/pay"
    assert rows_of("acls", from_zookeeper(recorded)) == [
        ("Group", "literal", "*", *bob, group, None),
        ("Topic", "literal", "orders", "User:alice", "*", "DescribeConfigs", "Allow", ORDERS, None),
        ("Topic", "literal", "orders", "User:alice", "*", "Read", "Allow", ORDERS, None),
        ("Topic", "literal", "pay", *bob, pay, None),
        (
            *("Topic", "prefixed", "pay-", "User:CN=app,O=x", "*", "Write", "Allow"),
            "/kafka-acl-extended/prefixed/Topic/pay-",
            None,
        ),
    ]


def test_what_holds_no_entries_is_none(znodes: Frame, rows_of: Rows) -> None:
    tree = {
        "/kafka-acl": None,
        "/kafka-acl/Topic": None,
        ORDERS: '{"version":1,"acls":[]}',
        "/kafka-acl/Topic/null": None,
        "/kafka-acl/Topic/empty": "",
        "/kafka-acl-changes/acl_changes_0000000000": "TOPIC:orders",
        "/kafka-acl-extended/Topic/pay": '{"version":1,"acls":[' + ENTRY + "]}",
    }
    assert rows_of("acls", from_zookeeper(znodes(tree))) == []


def test_an_entry_that_is_there_twice_is_one_as_in_kafka(znodes: Frame, rows_of: Rows) -> None:
    tree = {ORDERS: f'{{"acls":[{ENTRY},{ENTRY}],"version":1}}'}
    made = from_zookeeper(znodes(tree))
    assert rows_of("acls", made, "principal", "operation") == [("User:alice", "Read")]


def test_a_malformed_resource_is_a_row_without_an_entry(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    # Without data a resource has no entries.
    garbage = [data for data in malformed if data]
    tree: dict[str, Any] = {f"/kafka-acl/Topic/t{n}": data for n, data in enumerate(garbage)}
    tree |= {
        "/kafka-acl/Topic/v2": f'{{"version":2,"acls":[{ENTRY}]}}',
        "/kafka-acl/Topic/no-version": f'{{"acls":[{ENTRY}]}}',
        "/kafka-acl/Topic/no-list": '{"version":1}',
        "/kafka-acl/Topic/no-entries": f'{{"version":1,"acls":[{ENTRY},7]}}',
        "/kafka-acl/Topic/short": f'{{"version":1,"acls":[{ENTRY},{{"principal":"User:bob"}},{{}}]}}',
    }
    made = from_zookeeper(znodes(tree))
    names = ("resource_name", "principal", "host", "operation", "permission", "problem")
    assert rows_of("acls", made, *names) == sorted(
        [
            *((f"t{n}", *[None] * 4, "the znode is not a JSON object") for n in range(len(garbage))),
            ("v2", *[None] * 4, "the version is not 1"),
            ("no-version", *[None] * 4, "the version is not 1"),
            ("no-entries", *[None] * 4, "the znode has no list of acls"),
            ("no-list", *[None] * 4, "the znode has no list of acls"),
            ("short", "User:alice", "*", "Read", "Allow", None),
            ("short", "User:bob", None, None, None, "an entry lacks a field"),
            ("short", *[None] * 4, "an entry lacks a field"),
        ],
        key=str,
    )


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = {"resource_type": "Topic", "pattern_type": "literal", "resource_name": "orders"}
    described |= {"principal": "User:alice", "host": "*", "operation": "Read", "permission": "Allow"}
    assert rows_of("acls", from_kafka(frame("admin_acls", described))) == [
        ("Topic", "literal", "orders", "User:alice", "*", "Read", "Allow", None, None)
    ]
