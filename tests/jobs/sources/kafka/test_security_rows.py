from typing import Any

import pytest

from jobs.sources.kafka.listings import LISTINGS, quota_rows
from jobs.sources.kafka.security import acl_rows, redact_acl, scram_rows


def acl(resource_type: int = 2, pattern: int = 3, operation: int = 3, permission: int = 3) -> dict[str, Any]:
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


@pytest.mark.parametrize(
    ("resource_type", "name", "landed"),
    [(6, "AbC-123", "hmac:AbC-123"), (6, "*", "*"), (2, "AbC-123", "AbC-123")],
)
def test_the_id_of_a_delegation_token_is_replaced_in_an_acl(
    resource_type: int, name: str, landed: str
) -> None:
    reply = acl(resource_type)
    reply["resources"][0]["resource_name"] = name
    (row,) = acl_rows(reply)
    assert redact_acl(row, lambda secret: f"hmac:{secret}")[2] == landed


def test_acls_of_several_tokens_are_one_row_without_a_fingerprint_key() -> None:
    (listing,) = (each for each in LISTINGS if each.table == "admin_acls")
    rows = [("DelegationToken", "literal", token, "User:a", "*", "Describe", "Allow") for token in "ab"]
    assert listing.redacted(rows, lambda _: "present") == [
        ("DelegationToken", "literal", "present", "User:a", "*", "Describe", "Allow")
    ]


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
