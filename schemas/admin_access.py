"""Raw state of who may do what, and how much of it, as it is told over the Admin API."""

from schemas.columns import QUOTA_ENTITY
from schemas.table import Column, Kind, Table

ADMIN_ACLS = Table(
    name="admin_acls",
    kind=Kind.STATE,
    meaning="access control entries as DescribeAcls tells them",
    source="kafka",
    key=("resource_type", "pattern_type", "resource_name", "principal", "host", "operation", "permission"),
    scopes={"kafka": "/acls"},
    columns=(
        Column(
            "resource_type", "STRING", "kind of resource in Kafka's writing: Topic, Group …", required=True
        ),
        Column(
            "pattern_type", "STRING", "literal or prefixed", required=True, one_of=("literal", "prefixed")
        ),
        Column("resource_name", "STRING", "name or prefix of the resource", required=True),
        Column("principal", "STRING", "who, such as User:alice", required=True),
        Column("host", "STRING", "from where, * for anywhere", required=True),
        Column("operation", "STRING", "what: Read, Write, DescribeConfigs …", required=True),
        Column("permission", "STRING", "Allow or Deny", required=True, one_of=("Allow", "Deny")),
    ),
)

ADMIN_QUOTAS = Table(
    name="admin_quotas",
    kind=Kind.STATE,
    meaning="client quotas as DescribeClientQuotas tells them (KIP-546)",
    source="kafka",
    key=("user", "client_id", "ip", "name"),
    scopes={"kafka": "/quotas"},
    columns=(
        *QUOTA_ENTITY,
        Column("name", "STRING", "quota's name, such as producer_byte_rate", required=True),
        Column("value", "DOUBLE", "bytes a second, percent or connections a second", required=True),
    ),
)

ADMIN_SCRAM_CREDENTIALS = Table(
    name="admin_scram_credentials",
    kind=Kind.STATE,
    meaning="which users have SCRAM credentials, as DescribeUserScramCredentials tells it (KIP-554)",
    source="kafka",
    key=("user", "mechanism"),
    scopes={"kafka": "/scram_credentials/{user}"},
    columns=(
        Column("user", "STRING", "user name", required=True),
        Column("mechanism", "STRING", "SCRAM-SHA-256 or SCRAM-SHA-512", required=True),
        Column("iterations", "INT", "iterations of the credential's hash", required=True),
    ),
)
