"""What was set: configurations, access control entries, quotas, features, credentials."""

from typing import Any

from jobs.events import acls, broker_settings, configs, features, log_dirs, quorum, quotas, scram_credentials


def _config(name: str, value: str | None, entity: str = "orders", scope: str = "topic", **more: Any) -> Any:
    return {"scope": scope, "entity": entity, "name": name, "value": value, **more}


def test_configurations_are_set_changed_and_removed(changes: Any, rows_of: Any, told: Any) -> None:
    changed = changes(
        "configs",
        (None, _config("retention.ms", "1000")),
        (_config("segment.ms", "1"), _config("segment.ms", "2")),
        (_config("min.insync.replicas", "2", "7", "broker"), None),
        (_config("flush.ms", "1"), _config("flush.ms", "1", problem="odd")),
    )
    topics = rows_of("topics", {"topic": "orders", "partitions": 3})
    assert told(configs, changed, topics) == {
        ("config-changed", "orders", None, "retention.ms=1000", 3),
        ("config-changed", "orders", "segment.ms=1", "segment.ms=2", 3),
        ("config-changed", "broker 7", "min.insync.replicas=2", None, 0),
    }


def test_a_secret_is_told_by_its_fingerprint(changes: Any, told: Any) -> None:
    def password(fingerprint: str | None) -> Any:
        return _config("ssl.key.password", None, "7", "broker", fingerprint=fingerprint)

    changed = changes("configs", (password("aa11"), password("bb22")))
    name = "ssl.key.password=fingerprint"
    assert told(configs, changed) == {("config-changed", "broker 7", f"{name} aa11", f"{name} bb22", 0)}
    assert told(configs, changes("configs", (password(None), password(None)))) == set()
    assert told(configs, changes("configs", (None, password(None)))) == {
        ("config-changed", "broker 7", None, "ssl.key.password=secret", 0)
    }


def test_what_a_new_or_deleted_topic_has_and_what_is_malformed_is_no_event(changes: Any, told: Any) -> None:
    added = changes("configs", (None, _config("retention.ms", "1000")))
    unmarked, marked = ({"topic": "orders", "czxid": 7, "deletion_pending": flag} for flag in (False, True))
    for pair in [(None, unmarked), (unmarked, None), (unmarked, unmarked | {"czxid": 9})]:
        assert told(configs, added, changes("topics", pair)) == set()
    assert len(told(configs, added, changes("topics", (unmarked, marked)))) == 1
    malformed = _config("", None, problem="not a JSON object")
    gone = (_config("retention.ms", "1000"), None)
    assert told(configs, changes("configs", (None, malformed), gone)) == set()
    assert told(configs, changes("configs", (malformed, None), gone[::-1])) == set()


def test_a_broker_that_starts_with_another_setting_is_told_unless_the_cluster_set_it(
    changes: Any, told: Any
) -> None:
    def minimum(value: str, source: str | None, broker_id: int = 7) -> Any:
        return {"broker_id": broker_id, "name": "min.insync.replicas", "value": value, "source": source}

    default, static, dynamic = "DEFAULT_CONFIG", "STATIC_BROKER_CONFIG", "DYNAMIC_DEFAULT_BROKER_CONFIG"
    changed = changes(
        "broker_settings",
        (minimum("1", default), minimum("2", static)),
        (minimum("1", static, 8), minimum("1", default, 8)),
        (minimum("1", static, 9), minimum("2", dynamic, 9)),
        (minimum("1", dynamic, 10), minimum("2", static, 10)),
        (minimum("1", static, 11), minimum("2", None, 11)),
        (None, minimum("2", static, 12)),
        (minimum("2", static, 13), None),
    )
    assert told(broker_settings, changed) == {
        ("broker-setting-changed", "broker 7", "min.insync.replicas=1", "min.insync.replicas=2", 0)
    }


def _acl(principal: str | None, pattern: str = "literal", name: str = "orders") -> Any:
    entry = {"host": "*", "operation": "Read", "permission": "Allow"} if principal else {}
    resource = {"resource_type": "Topic", "pattern_type": pattern, "resource_name": name}
    return resource | {"principal": principal} | entry


def test_access_control_entries_come_and_go(changes: Any, told: Any) -> None:
    changed = changes(
        "acls",
        (None, _acl("User:alice")),
        (_acl("User:bob", "prefixed"), None),
        (_acl("User:carol", name="payments"), None),
        (None, _acl(None, name="payments")),  # malformed: its entries may all be there
    )
    assert told(acls, changed) == {
        ("acl-added", "Topic orders", None, "Allow User:alice Read from *", 0),
        ("acl-removed", "Topic orders (prefixed)", "Allow User:bob Read from *", None, 0),
    }


def test_quotas_are_set_changed_and_removed(changes: Any, told: Any) -> None:
    alice = {"user": "alice", "name": "producer_byte_rate"}
    app = {"user": "<default>", "client_id": "app", "name": "consumer_byte_rate"}
    bad = {"ip": "10.0.0.1", "name": ""}
    changed = changes(
        "quotas",
        (alice | {"value": 1024.0}, alice | {"value": 2048.0}),
        (None, app | {"value": 1.0}),
        (None, bad | {"problem": "not a JSON object"}),
        (bad | {"name": "connection_creation_rate", "value": 5.0}, None),
    )
    before, after = ("producer_byte_rate=1024.0", "producer_byte_rate=2048.0")
    assert told(quotas, changed) == {
        ("quota-changed", "user alice", before, after, 0),
        ("quota-changed", "user <default>, client app", None, "consumer_byte_rate=1.0", 0),
    }


def test_features_are_finalized_at_another_level(changes: Any, told: Any) -> None:
    version = {"feature": "metadata.version"}
    upgraded = (version | {"level": 20}, version | {"level": 21})
    assert told(
        features, changes("features", upgraded, (None, {"feature": "kraft.version", "level": 1}))
    ) == {
        ("feature-changed", "feature metadata.version", "20", "21", 0),
        ("feature-changed", "feature kraft.version", None, "1", 0),
    }
    malformed = (None, {"feature": "", "problem": "not a JSON object"})
    assert told(features, changes("features", malformed, (version | {"level": 20}, None))) == set()


def test_credentials_are_told_without_the_credential(changes: Any, told: Any) -> None:
    alice = {"user": "alice", "mechanism": "SCRAM-SHA-256", "iterations": 4096}
    before, after = (f"SCRAM-SHA-256, 4096 iterations, fingerprint {each}" for each in ("aa", "bb"))
    changed = changes("scram_credentials", (alice | {"fingerprint": "aa"}, alice | {"fingerprint": "bb"}))
    assert told(scram_credentials, changed) == {("credential-changed", "user alice", before, after, 0)}
    over_the_api = changes("scram_credentials", (alice | {"fingerprint": "aa"}, alice))
    assert told(scram_credentials, over_the_api) == set()
    made = changes("scram_credentials", (None, alice))
    assert told(scram_credentials, made) == {
        ("credential-changed", "user alice", None, "SCRAM-SHA-256, 4096 iterations", 0)
    }


def test_a_log_dir_with_another_directory_id_is_told(changes: Any, rows_of: Any, told: Any) -> None:
    place = {"broker_id": 1, "path": "/d0"}
    replica = place | {"dir_name": "orders-0", "topic": "orders", "partition": 0}
    changed = changes(
        "log_dirs",
        (place | {"directory_id": "A"}, place | {"directory_id": "B"}),
        ({"broker_id": 2, "path": "/d0"}, {"broker_id": 2, "path": "/d0", "directory_id": "C"}),
    )
    assert told(log_dirs, changed, rows_of("disk_replicas", replica)) == {
        ("directory-id-changed", "broker 1", "/d0 A", "/d0 B", 1)
    }


def test_the_leader_of_the_quorum_moves(changes: Any, told: Any) -> None:
    moved = ({"leader_id": 101, "leader_epoch": 3}, {"leader_id": 102, "leader_epoch": 4})
    stayed = ({"leader_id": 101, "leader_epoch": 3}, {"leader_id": 101, "leader_epoch": 4})
    assert told(quorum, changes("quorum", moved)) == {("quorum-leader-moved", "quorum", "101", "102", 0)}
    assert told(quorum, changes("quorum", stayed)) == set()
