import pytest

from jobs.sources.kafka.listings import quota_rows
from jobs.sources.kafka.security import acl_rows, scram_rows


def acl(
    resource_type: int = 2, pattern: int = 3, operation: int = 3, permission: int = 3
) -> dict[str, object]:
    entry = {"principal": "User:a", "host": "*", "operation": operation, "permission_type": permission}
    resource = {
        "resource_type": resource_type,
        "resource_name": "orders",
        "pattern_type": pattern,
        "acls": [entry],
    }
    return {"resources": [resource]}


@pytest.mark.parametrize(
    ("reply", "row"),
    [
        (acl(), ("Topic", "literal", "orders", "User:a", "*", "Read", "Allow")),
        (acl(pattern=4, permission=2), ("Topic", "prefixed", "orders", "User:a", "*", "Read", "Deny")),
        (
            acl(resource_type=5, operation=12),
            ("TransactionalId", "literal", "orders", "User:a", "*", "IdempotentWrite", "Allow"),
        ),
        (
            acl(resource_type=7, operation=13),
            ("User", "literal", "orders", "User:a", "*", "CreateTokens", "Allow"),
        ),
        (acl(operation=99), ("Topic", "literal", "orders", "User:a", "*", "Unknown99", "Allow")),
    ],
)
def test_an_acl_is_told_in_the_writing_of_zookeeper(reply: dict[str, object], row: tuple[str, ...]) -> None:
    assert list(acl_rows(reply)) == [row]


def entity(*parts: tuple[str, str | None]) -> dict[str, object]:
    named = [{"entity_type": kind, "entity_name": name} for kind, name in parts]
    return {"entity": named, "values": [{"key": "producer_byte_rate", "value": 1024.0}]}


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        (entity(("user", "alice")), ("alice", None, None)),
        (entity(("user", None)), ("<default>", None, None)),
        (entity(("user", "alice"), ("client-id", None)), ("alice", "<default>", None)),
        (entity(("client-id", "app")), (None, "app", None)),
        (entity(("ip", None)), (None, None, "<default>")),
    ],
)
def test_a_quota_is_for_a_user_a_client_an_address_or_every_other(
    entry: dict[str, object], key: tuple[str | None, ...]
) -> None:
    assert list(quota_rows({"entries": [entry]})) == [(*key, "producer_byte_rate", 1024.0)]


def test_a_cluster_without_quotas_may_answer_with_none() -> None:
    assert list(quota_rows({"entries": None})) == []


def test_a_user_has_a_credential_for_each_mechanism() -> None:
    credentials = [{"mechanism": 1, "iterations": 4096}, {"mechanism": 2, "iterations": 8192}]
    assert list(scram_rows({"results": [{"user": "alice", "credential_infos": credentials}]})) == [
        ("alice", "SCRAM-SHA-256", 4096),
        ("alice", "SCRAM-SHA-512", 8192),
    ]
