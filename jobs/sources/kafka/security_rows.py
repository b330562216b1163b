"""Turns replies about ACLs, quotas and SCRAM users into rows, in the column order of `schemas/kafka_api.py`."""

from collections.abc import Iterator
from typing import Any

Row = tuple[Any, ...]

_DEFAULT = "<default>"
_RESOURCE_TYPES = {
    2: "Topic",
    3: "Group",
    4: "Cluster",
    5: "TransactionalId",
    6: "DelegationToken",
    7: "User",
}
_PATTERN_TYPES = {3: "literal", 4: "prefixed"}
_OPERATIONS = {
    2: "All",
    3: "Read",
    4: "Write",
    5: "Create",
    6: "Delete",
    7: "Alter",
    8: "Describe",
    9: "ClusterAction",
    10: "DescribeConfigs",
    11: "AlterConfigs",
    12: "IdempotentWrite",
    13: "CreateTokens",
    14: "DescribeTokens",
    15: "TwoPhaseCommit",
}
_PERMISSIONS = {2: "Deny", 3: "Allow"}
"""Codes of `org.apache.kafka.common.acl` and `.resource`, in the writing ZooKeeper keeps them in."""
_MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
"""Codes of `org.apache.kafka.clients.admin.ScramMechanism`."""


def acl_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_acls`."""
    for resource in reply["resources"]:
        for acl in resource["acls"]:
            yield (
                _name(_RESOURCE_TYPES, resource["resource_type"]),
                _name(_PATTERN_TYPES, resource["pattern_type"]),
                resource["resource_name"],
                acl["principal"],
                acl["host"],
                _name(_OPERATIONS, acl["operation"]),
                _name(_PERMISSIONS, acl["permission_type"]),
            )


def quota_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_quotas`."""
    for entry in reply["entries"] or []:
        entity = {
            part["entity_type"]: _DEFAULT if part["entity_name"] is None else part["entity_name"]
            for part in entry["entity"]
        }
        for quota in entry["values"]:
            yield entity.get("user"), entity.get("client-id"), entity.get("ip"), quota["key"], quota["value"]


def scram_rows(reply: dict[str, Any]) -> Iterator[Row]:
    """Rows of `admin_scram_credentials`; Kafka tells no salt and no key."""
    for user in reply["results"]:
        for credential in user["credential_infos"]:
            yield user["user"], _name(_MECHANISMS, credential["mechanism"]), credential["iterations"]


def _name(names: dict[int, str], code: int) -> str:
    """What a code stands for; one that a newer Kafka has added is told as a number."""
    return names.get(code, f"Unknown{code}")
