"""Canaries planted where Kafka keeps secrets: none of them lands, in no column, path or gap."""

import json
from collections.abc import Callable
from typing import Any

from kazoo.client import KazooClient
from kazoo.security import make_digest_acl

CANARY = "s3cr3t-c4n4ry"
TOKENS = "/secrets/delegation_token/tokens"


def plant(client: KazooClient) -> None:
    scram = f"salt=abc,stored_key={CANARY},server_key={CANARY},iterations=4096"
    config = {"ssl.keystore.password": CANARY, "log.retention.ms": "100"}
    client.create(
        "/secrets/config/users/alice",
        json.dumps({"config": {"SCRAM-SHA-256": scram}}).encode(),
        makepath=True,
    )
    client.create("/secrets/config/users/broken", CANARY.encode())
    client.create("/secrets/config/brokers/1", json.dumps({"config": config}).encode(), makepath=True)
    client.create(f"{TOKENS}/{CANARY}", json.dumps({"tokenId": CANARY}).encode(), makepath=True)
    client.create(f"{TOKENS}/{CANARY}-closed", b"", acl=[make_digest_acl("kafka", "secret", all=True)])
    client.create("/secrets/delegation_token/token_changes/token_change_0", CANARY.encode(), makepath=True)
    for store in ("kafka-acl", "kafka-acl-extended/prefixed"):
        client.create(f"/secrets/{store}/DelegationToken/{CANARY}", b'{"version":1,"acls":[]}', makepath=True)
    client.create(
        "/secrets/kafka-acl-changes/acl_changes_0", f"DELEGATION_TOKEN:{CANARY}".encode(), makepath=True
    )


def test_no_canary_lands_and_what_is_no_secret_does(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    plant(client)

    landed = collected(f"{zookeeper.connect}/secrets")

    assert CANARY not in repr(landed.rows)
    assert CANARY not in repr(landed.landing.gaps)
    assert len(landed.landing.gaps) == 1
    assert {path for path, row in landed.rows.items() if row["encoding"] == "redacted"} == {
        "/config/users/alice",
        "/config/users/broken",
        "/config/brokers/1",
        "/delegation_token/token_changes/token_change_0",
        "/kafka-acl-changes/acl_changes_0",
        *(path for path in landed.rows if path.startswith("/delegation_token/tokens/hmac:")),
    }
    assert json.loads(landed.rows["/config/brokers/1"]["data"])["config"]["log.retention.ms"] == "100"
