"""No secret leaves the collector: a planted canary never shows, and what is no secret stays as it was."""

import json
from typing import Any

import pytest

from jobs.secrets import Redactor
from jobs.sources.zookeeper.redact import redact_data, redact_path

CANARY = "s3cr3t-c4n4ry"
ENCODED = (
    "keyFactoryAlgorithm:PBKDF2WithHmacSHA512,cipherAlgorithm:AES/CBC/PKCS5Padding,keyLength:128,"
    f"salt:abc,iterations:4096,encryptedPassword:{CANARY},passwordLength:13,initializationVector:xyz"
)
SCRAM = f"salt=abc,stored_key={CANARY},server_key={CANARY},iterations=4096"
fingerprint = Redactor("a key").fingerprint


def config(**values: str) -> str:
    return json.dumps(
        {"version": 1, "config": {key.replace("__", "."): value for key, value in values.items()}}
    )


def redacted(path: str, text: str) -> str:
    """What is left of a text that holds a secret."""
    left = redact_data(path, text.encode(), fingerprint)
    assert left is not None
    return left


def stays(path: str, text: str) -> bool:
    """Whether the text holds no secret and is kept as it is."""
    return redact_data(path, text.encode(), fingerprint) is None


@pytest.mark.parametrize(
    "key",
    [
        "ssl.keystore.password",
        "listener.name.internal.ssl.key.password",
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
        "ssl.keystore.key",
        "ssl.keystore.certificate.chain",
        "listener.name.x.ssl.truststore.certificates",
        "password.encoder.old.secret",
        "delegation.token.secret.key",
        "confluent.license",
        "metrics.reporter.api-key",
        "some.plugin.Credentials.provider",
        "SSL.KEY.PASSWORD",
        "a.reporter.s.own.config",
        "listener.name.x.a.reporter.s.own.config",
    ],
)
@pytest.mark.parametrize("broker", ["1", "<default>"])
def test_a_password_config_of_a_broker_becomes_a_fingerprint_and_its_neighbour_stays(
    key: str, broker: str
) -> None:
    text = redacted(f"/config/brokers/{broker}", config(**{key: CANARY, "log.retention.ms": "100"}))

    assert json.loads(text) == {
        "version": 1,
        "config": {key: fingerprint(CANARY), "log.retention.ms": "100"},
    }


@pytest.mark.parametrize(
    "key",
    [
        "ssl.keystore.location",
        "ssl.keystore.type",
        "ssl.truststore.location",
        "listener.name.x.ssl.keystore.location",
        "log.cleaner.threads",
        "leader.replication.throttled.rate",
    ],
)
def test_a_config_that_is_no_secret_stays_as_it_was(key: str) -> None:
    assert stays("/config/brokers/1", config(**{key: "visible"}))


@pytest.mark.parametrize("key", ["leader.replication.throttled.replicas", "delegation.token.max.lifetime.ms"])
def test_of_a_topic_only_what_is_named_like_a_secret_is_one(key: str) -> None:
    assert stays("/config/topics/orders", config(**{key: "visible"}))
    assert CANARY not in redacted("/config/topics/orders", config(**{key: "visible", "api.key": CANARY}))


@pytest.mark.parametrize("kind", ["users/alice", "brokers/1", "brokers/<default>"])
def test_a_connect_string_without_its_chroot_shows_no_secret_of_the_cluster_below(kind: str) -> None:
    text = redacted(
        f"/kafka_cluster_01/config/{kind}", config(**{"SCRAM-SHA-256": SCRAM, "ssl.key.password": CANARY})
    )

    assert CANARY not in text
    assert redacted(f"/kafka_cluster_01/config/{kind}", CANARY) == fingerprint(CANARY)


def test_a_token_of_a_cluster_below_is_replaced_in_path_data_and_notification() -> None:
    tokens = "/kafka_cluster_01/delegation_token/tokens"
    mark = fingerprint(CANARY)

    assert redact_path(f"{tokens}/{CANARY}", 7, fingerprint) == f"{tokens}/{mark}"
    assert redact_path(f"{tokens}/{CANARY}", None, Redactor(None).fingerprint) == tokens
    assert json.loads(redacted(f"{tokens}/{CANARY}", json.dumps({"tokenId": CANARY}))) == {"tokenId": mark}
    assert redacted("/kafka_cluster_01/delegation_token/token_changes/token_change_0", CANARY) == mark


@pytest.mark.parametrize("store", ["/kafka-acl", "/k1/kafka-acl", "/kafka-acl-extended/prefixed"])
def test_a_token_is_replaced_in_the_path_of_its_acls(store: str) -> None:
    path = f"{store}/DelegationToken/{CANARY}"
    assert redact_path(path, 7, fingerprint) == f"{store}/DelegationToken/{fingerprint(CANARY)}"
    assert redact_path(path, 7, Redactor(None).fingerprint) == f"{store}/DelegationToken/present-7"
    assert redact_path(f"{store}/DelegationToken/*", 7, fingerprint) == f"{store}/DelegationToken/*"
    assert redact_path(f"{store}/Topic/{CANARY}", 7, fingerprint) == f"{store}/Topic/{CANARY}"


@pytest.mark.parametrize("store", ["/kafka-acl-changes", "/k1/kafka-acl-extended-changes"])
def test_a_token_is_replaced_in_the_notification_that_its_acls_changed(store: str) -> None:
    mark, path = fingerprint(CANARY), f"{store}/acl_changes_0000000001"
    change = {"version": 1, "resourceType": "DELEGATION_TOKEN", "name": CANARY, "patternType": "PREFIXED"}
    assert redacted(path, f"DELEGATION_TOKEN:{CANARY}") == f"DELEGATION_TOKEN:{mark}"
    assert redacted(path, "DELEGATION_TOKEN:*") == "DELEGATION_TOKEN:*"
    assert json.loads(redacted(path, json.dumps(change))) == change | {"name": mark}
    assert CANARY not in redacted(path, json.dumps(change | {"another": CANARY}))
    assert stays(path, "TOPIC:orders")


@pytest.mark.parametrize("topic", ["config", "delegation_token"])
def test_a_topic_named_like_a_place_of_secrets_stays_as_it_was(topic: str) -> None:
    state = '{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}'

    assert stays(f"/brokers/topics/{topic}/partitions/0/state", state)
    assert stays(f"/consumers/group/offsets/{topic}/0", "17")


@pytest.mark.parametrize("text", [f'{{"config":{{"a.password":"{CANARY}"', ENCODED])
def test_what_is_no_proper_config_and_looks_like_a_secret_is_replaced_whole_anywhere(text: str) -> None:
    assert redacted("/config/topics/orders", text) == fingerprint(text)


def test_half_a_surrogate_hides_no_secret() -> None:
    assert CANARY not in redacted("/config/topics/orders", f'{{"config":{{"api.key":"\\ud800{CANARY}"}}}}')


def test_an_encrypted_password_is_a_secret_under_any_key_and_in_any_kind_of_config() -> None:
    for path in ("/config/brokers/1", "/config/topics/orders", "/config/clients/c"):
        assert CANARY not in redacted(path, config(harmless=ENCODED))


@pytest.mark.parametrize(
    "path", ["/config/users/alice", "/config/users/alice/clients/app", "/config/users/<default>"]
)
def test_of_a_user_only_the_quotas_and_the_iterations_of_a_credential_stay(path: str) -> None:
    text = redacted(
        path, config(**{"SCRAM-SHA-256": SCRAM, "SCRAM-SHA-1024": SCRAM, "producer_byte_rate": "1024"})
    )

    assert json.loads(text)["config"] == {
        "SCRAM-SHA-256": f"{fingerprint(SCRAM)},iterations=4096",
        "SCRAM-SHA-1024": fingerprint(SCRAM),
        "producer_byte_rate": "1024",
    }


@pytest.mark.parametrize(
    "credential",
    [
        "iterations=4096",
        f"{SCRAM},password={CANARY}",
        SCRAM.replace("4096", CANARY),
        SCRAM.replace("4096", "1234567890"),
        SCRAM.replace("4096", "\u0664\u0660"),
        SCRAM.replace("salt=abc,", ""),
    ],
)
def test_of_what_is_no_whole_credential_nothing_stays(credential: str) -> None:
    text = redacted("/config/users/alice", config(**{"SCRAM-SHA-512": credential}))

    assert json.loads(text)["config"] == {"SCRAM-SHA-512": fingerprint(credential)}


@pytest.mark.parametrize(
    "text",
    [
        f'{{"version":1,"config":{{"ssl.key.password":"{CANARY}"',
        f'["{CANARY}"]',
        f'"{CANARY}"',
        CANARY,
        f'{{"config":"{CANARY}"}}',
        f'{{"config":{{"ssl.key.password":"{CANARY}"}},"config":{{}}}}',
        f'{{"config":{{"ssl.key.password":"{CANARY}","ssl.key.password":null}}}}',
        "[" * 100_000 + CANARY,
    ],
)
@pytest.mark.parametrize("path", ["/config/brokers/1", "/config/users/alice"])
def test_what_is_no_proper_config_is_replaced_whole(path: str, text: str) -> None:
    assert redacted(path, text) == fingerprint(text)


@pytest.mark.parametrize("text", [CANARY, f'["{CANARY}"]', f'{{"tokenId":"{CANARY}"', "5"])
def test_what_is_no_proper_token_is_replaced_whole(text: str) -> None:
    assert redacted("/delegation_token/tokens/t", text) == fingerprint(text)


def test_data_that_is_no_text_is_replaced_whole_in_a_sensitive_place_only() -> None:
    data = b"\xff\xfe" + CANARY.encode()

    redacted = redact_data("/config/users/alice", data, fingerprint)
    assert redacted is not None
    assert redacted.startswith("hmac:")
    assert redact_data("/config/topics/orders", data, fingerprint) is None


@pytest.mark.parametrize(
    "document",
    [
        {"config": {"nested": {"ssl.key.password": CANARY}}},
        {"config": {"nested": [CANARY]}},
        {"config": {}, "old": {"ssl.key.password": CANARY}},
        {"config": {}, "ssl.key.password": CANARY},
        {"config": {"ssl.key.password": 5, "sasl.jaas.config": [CANARY], "x": ENCODED}},
    ],
)
def test_secrets_in_odd_places_are_found(document: dict[str, Any]) -> None:
    assert CANARY not in redacted("/config/brokers/1", json.dumps(document))


def test_json_escapes_hide_no_secret() -> None:
    escaped = CANARY.replace("c", "\\u0063")

    text = redacted("/config/brokers/1", f'{{"config":{{"ssl.key.p\\u0061ssword":"{escaped}"}}}}')

    assert json.loads(text)["config"] == {"ssl.key.password": fingerprint(CANARY)}


def test_a_token_has_one_fingerprint_in_its_path_its_data_and_its_change_notification() -> None:
    token = {
        "version": 3,
        "owner": "User:alice",
        "tokenRequester": "User:alice",
        "renewers": [],
        "issueTimestamp": 1,
        "maxTimestamp": 2,
        "expiryTimestamp": 2,
        "tokenId": CANARY,
    }
    mark = fingerprint(CANARY)

    assert (
        redact_path(f"/delegation_token/tokens/{CANARY}", 7, fingerprint)
        == f"/delegation_token/tokens/{mark}"
    )
    assert json.loads(redacted(f"/delegation_token/tokens/{CANARY}", json.dumps(token))) == token | {
        "tokenId": mark
    }
    assert redacted("/delegation_token/token_changes/token_change_0000000000", CANARY) == mark


def test_without_a_key_tokens_are_told_apart_by_when_they_were_created() -> None:
    present = Redactor(None).fingerprint

    assert (
        redact_path(f"/delegation_token/tokens/{CANARY}", 7, present) == "/delegation_token/tokens/present-7"
    )
    assert redact_path(f"/delegation_token/tokens/{CANARY}", None, present) == "/delegation_token/tokens"


@pytest.mark.parametrize(
    "path", ["/delegation_token/tokens", "/brokers/topics/delegation_token", "/config/users"]
)
def test_other_paths_stay_as_they_are(path: str) -> None:
    assert redact_path(path, 7, fingerprint) == path


@pytest.mark.parametrize(
    "path", ["/brokers/ids/1", "/config/changes/config_change_0", "/cluster/id", "/configx/users/a"]
)
def test_data_elsewhere_is_not_touched(path: str) -> None:
    assert stays(path, '{"version":2,"entity_path":"users/alice"}')
