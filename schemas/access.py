"""Who may do what, and how much of it: ACLs, quotas, credentials and tokens."""

from schemas.columns import QUOTA_ENTITY
from schemas.table import PROBLEM, Column, Kind, Table

_ZNODE = Column("znode", "STRING", "znode that holds it; null over the Admin API")

ACLS = Table(
    name="acls",
    kind=Kind.STATE,
    meaning="access control entries",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_acls",)},
    key=("resource_type", "pattern_type", "resource_name", "principal", "host", "operation", "permission"),
    scopes={"zookeeper": "{znode}", "kafka": "/acls"},
    subtrees=("/kafka-acl", "/kafka-acl-extended"),
    columns=(
        Column(
            "resource_type", "STRING", "kind of resource in Kafka's writing: Topic, Group …", required=True
        ),
        Column(
            "pattern_type",
            "STRING",
            "whether resource_name is the whole name or a prefix",
            required=True,
            one_of=("literal", "prefixed"),
        ),
        Column("resource_name", "STRING", "name or prefix of the resource, * for every one", required=True),
        Column("principal", "STRING", "who, such as User:alice; null when the entry is malformed"),
        Column("host", "STRING", "from where, * for anywhere"),
        Column("operation", "STRING", "what: Read, Write, DescribeConfigs …"),
        Column("permission", "STRING", "whether it may or may not", one_of=("Allow", "Deny")),
        _ZNODE,
        PROBLEM,
    ),
)

QUOTAS = Table(
    name="quotas",
    kind=Kind.STATE,
    meaning="client quotas of users, clients and addresses",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_quotas",)},
    key=("user", "client_id", "ip", "name"),
    scopes={"zookeeper": "{znode}", "kafka": "/quotas"},
    subtrees=("/config/users", "/config/clients", "/config/ips"),
    columns=(
        *QUOTA_ENTITY,
        Column(
            "name",
            "STRING",
            "quota's name, such as producer_byte_rate; empty when the entity's record is malformed",
            required=True,
        ),
        Column("value", "DOUBLE", "bytes a second, percent or connections a second"),
        _ZNODE,
        PROBLEM,
    ),
)

SCRAM_CREDENTIALS = Table(
    name="scram_credentials",
    kind=Kind.STATE,
    meaning="which users have SCRAM credentials; never the credentials",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_scram_credentials",)},
    key=("user", "mechanism"),
    scopes={"zookeeper": "{znode}", "kafka": "/scram_credentials/{user}"},
    subtrees=("/config/users",),
    columns=(
        Column("user", "STRING", "user name", required=True),
        Column(
            "mechanism",
            "STRING",
            "SCRAM-SHA-256 or SCRAM-SHA-512; empty when the user's record is malformed",
            required=True,
        ),
        Column("iterations", "INT", "iterations of the credential's hash"),
        Column(
            "fingerprint",
            "STRING",
            "keyed fingerprint of the credential, changes when it does; null over the Admin API",
        ),
        _ZNODE,
        PROBLEM,
    ),
)

DELEGATION_TOKENS = Table(
    name="delegation_tokens",
    kind=Kind.STATE,
    meaning="delegation tokens in ZooKeeper; a token's id is half of a credential, so only its fingerprint is kept",
    inputs={"zookeeper": ("znodes",)},
    key=("token",),
    scopes={"zookeeper": "/delegation_token/tokens/{token}"},
    subtrees=("/delegation_token/tokens",),
    columns=(
        Column("token", "STRING", "keyed fingerprint of the token's id", required=True),
        Column("owner", "STRING", "principal it stands for, such as User:alice"),
        Column("requester", "STRING", "principal that asked for it; the owner before version 3"),
        Column("renewers", "ARRAY<STRING>", "principals that may renew it, beside the owner"),
        Column("issued_at", "TIMESTAMP", "when it was issued"),
        Column("expires_at", "TIMESTAMP", "when it ends unless it is renewed"),
        Column(
            "max_at",
            "TIMESTAMP",
            "when it ends even if it is renewed; null in version 1, which has no such end",
        ),
        Column("version", "INT", "version of the record, 1 to 3"),
        PROBLEM,
    ),
)
