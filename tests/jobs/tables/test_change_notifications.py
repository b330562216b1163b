"""From a sequential znode to what changed."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.change_notifications import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

CREATED_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
CONFIG, ISR = "/config/changes/config_change_", "/isr_change_notification/isr_change_"
LOG_DIR = "/log_dir_event_notification/log_dir_event_"
ACL, EXTENDED = "/kafka-acl-changes/acl_changes_", "/kafka-acl-extended-changes/acl_changes_"
TOKEN = "/delegation_token/token_changes/token_change_"
MARK = "hmac:0123456789abcdef0123456789abcdef"


def test_what_a_real_cluster_left_behind(recorded: DataFrame, rows_of: Rows) -> None:
    made = from_zookeeper(recorded)
    assert rows_of("change_notifications", made, "kind", "sequence", "subject", "problem") == [
        ("acl", 0, "TOPIC:orders", None),
        ("acl", 1, "TOPIC:pay", None),
        ("acl", 2, "GROUP:*", None),
        ("config", 0, "users/al%20ice%2A", None),
        ("config", 1, "users/al%20ice%2A/clients/app%2F1", None),
        ("config", 2, "users/<default>/clients/<default>", None),
        ("config", 3, "clients/<default>", None),
        ("config", 4, "ips/127.0.0.1", None),
        ("config", 5, "users/alice", None),
        ("config", 6, "brokers/1", None),
        ("extended_acl", 0, "TOPIC:PREFIXED:pay-", None),
        ("token", 0, "hmac:2c4964c9ab97292c73fb8318b9b7a250", None),
    ]


@pytest.mark.parametrize(
    ("path", "data", "kind", "subject"),
    [
        (CONFIG, '{"version":2,"entity_path":"topics/orders"}', "config", "topics/orders"),
        (CONFIG, '{"version":1,"entity_type":"topics","entity_name":"orders"}', "config", "topics/orders"),
        (
            ISR,
            '{"version":1,"partitions":[{"topic":"orders","partition":0},{"topic":"a-b","partition":12}]}',
            "isr",
            "orders-0, a-b-12",
        ),
        (ISR, '{"version":1,"partitions":[]}', "isr", ""),
        (LOG_DIR, '{"version":1,"broker":2,"event":1}', "log_dir", "broker 2"),
        (ACL, "TOPIC:a:b", "acl", "TOPIC:a:b"),
        (
            EXTENDED,
            '{"version":1,"resourceType":"TOPIC","name":"pay-","patternType":"PREFIXED"}',
            "extended_acl",
            "TOPIC:PREFIXED:pay-",
        ),
        (TOKEN, MARK, "token", MARK),
    ],
)
def test_every_kind_says_what_changed(
    path: str, data: str, kind: str, subject: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({f"{path}0000000007": data}))
    assert rows_of("change_notifications", made) == [
        (f"{path}0000000007", kind, 7, subject, CREATED_AT, None)
    ]


@pytest.mark.parametrize(
    ("path", "data", "problem"),
    [
        *(
            (path, data, "the znode is not a JSON object")
            for path in (CONFIG, ISR, LOG_DIR, EXTENDED)
            for data in (None, "", "garbage", "[1]")
        ),
        *(
            (path, data, "the notification does not say what changed")
            for path, data in [
                (CONFIG, '{"version":1,"entity_type":"topics"}'),
                (ISR, '{"version":1}'),
                (LOG_DIR, '{"version":1,"event":1}'),
                (EXTENDED, '{"version":1,"name":"pay-"}'),
                (ACL, "orders"),
                (ACL, None),
                (TOKEN, ""),
                (TOKEN, None),
            ]
        ),
    ],
)
def test_a_malformed_notification_is_a_row_with_a_problem(
    path: str, data: str | None, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({f"{path}0000000007": data}))
    assert rows_of("change_notifications", made, "sequence", "subject", "problem") == [(7, None, problem)]


def test_a_sequence_that_went_past_2147483647_is_negative_and_other_znodes_are_none(
    znodes: Frame, rows_of: Rows
) -> None:
    tree = {f"{TOKEN}-2147483648": MARK, "/config/changes": None, "/config/changes/x_1": "", f"{ACL}x": "A:b"}
    made = from_zookeeper(znodes(tree))
    assert rows_of("change_notifications", made, "sequence") == [(-2147483648,)]
