"""Asks for ACLs and SCRAM users; their rows use the words in which ZooKeeper keeps ACLs."""

from collections.abc import Callable, Iterator
from typing import Any

from kafka.errors import SecurityDisabledError
from kafka.protocol.admin import DescribeAclsRequest, DescribeUserScramCredentialsRequest

from jobs.sources.kafka.connection.client import KafkaClient, Reply
from jobs.sources.kafka.connection.failures import raise_for

Row = tuple[Any, ...]

ANY, TOPIC, PREFIXED = 1, 2, 4
_DELEGATION_TOKEN = 6
_RESOURCE_TYPES = {
    TOPIC: "Topic",
    3: "Group",
    4: "Cluster",
    5: "TransactionalId",
    _DELEGATION_TOKEN: "DelegationToken",
    7: "User",
}
_PATTERN_TYPES = {3: "literal", PREFIXED: "prefixed"}
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
"""Codes of `org.apache.kafka.common.acl` and `org.apache.kafka.common.resource`, as ZooKeeper's ACLs name them."""
_MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
"""Codes of `org.apache.kafka.clients.admin.ScramMechanism`."""


def acls(client: KafkaClient) -> Iterator[Row]:
    """Every ACL. Without an authorizer the cluster answers that security is disabled, and there are none."""
    try:
        return acl_rows(describe_acls(client))
    except SecurityDisabledError:
        return iter(())


def describe_acls(client: KafkaClient, resource_type: int = ANY) -> Reply:
    """DescribeAcls of the resources of one type, or of all. Raises SecurityDisabledError without an authorizer."""
    kinds = {"pattern_type_filter": ANY, "operation": ANY, "permission_type": ANY}
    names = {"resource_name_filter": None, "principal_filter": None, "host_filter": None}
    return client.ask(DescribeAclsRequest(resource_type_filter=resource_type, **kinds, **names))


def scram_users(client: KafkaClient) -> Iterator[Row]:
    """Every SCRAM user. The empty list asks for all; a broker that has to refuse null fails and does not answer."""
    reply = client.ask(DescribeUserScramCredentialsRequest(users=[]))
    for user in reply["results"]:
        raise_for(user)
    return scram_rows(reply)


def acl_rows(reply: Reply) -> Iterator[Row]:
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


def redact_acl(row: Row, fingerprint: Callable[[str], str]) -> Row:
    """A row of `admin_acls` without the id of a delegation token, which is half of a credential."""
    resource_type, pattern_type, name, *rest = row
    if resource_type != _RESOURCE_TYPES[_DELEGATION_TOKEN] or name == "*":
        return row
    return resource_type, pattern_type, fingerprint(name), *rest


def scram_rows(reply: Reply) -> Iterator[Row]:
    """Rows of `admin_scram_credentials`; Kafka returns neither salt nor key."""
    for user in reply["results"]:
        for credential in user["credential_infos"]:
            yield user["user"], _name(_MECHANISMS, credential["mechanism"]), credential["iterations"]


def _name(names: dict[int, str], code: int) -> str:
    """The name of a code; a code of a newer Kafka is named by its number."""
    return names.get(code, f"Unknown{code}")
