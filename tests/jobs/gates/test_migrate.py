"""The preflight of a migration from ZooKeeper to KRaft."""

from typing import Any

import pytest

PROTOCOL = "inter.broker.protocol.version"


@pytest.fixture
def ready(zookeeper_mode: Any) -> Any:
    """A healthy cluster whose brokers go by 3.9 and have two log dirs each."""
    zookeeper_mode.tables["broker_settings"] += [
        {"broker_id": each, "name": PROTOCOL, "value": "3.9-IV0"} for each in (1, 2, 3)
    ]
    zookeeper_mode.tables["log_dirs"] = [
        {"broker_id": each, "path": path} for each in (1, 2, 3) for path in ("/d0", "/d1")
    ]
    return zookeeper_mode


def goes_by(cluster: Any, *versions: str) -> None:
    settings = [row for row in cluster.tables["broker_settings"] if row["name"] == PROTOCOL]
    for row, version in zip(settings, versions, strict=True):
        row["value"] = version


def test_a_healthy_cluster_may_begin(ready: Any) -> None:
    assert ready.reasons("migrate") == []


def test_a_topic_without_an_id_ends_a_migration_also_where_no_disk_has_one(ready: Any) -> None:
    ready.tables["topics"].append({"topic": "old", "partitions": 0})
    assert ready.reasons("migrate") == ["without a topic id, on which the migration ends: 1 topic (old)"]


def test_a_replica_without_an_id_on_disk_would_be_set_aside(ready: Any) -> None:
    ready.tables["disk_replicas"][0] |= {"topic_id": None, "metadata_version": None}
    assert ready.reasons("migrate") == [
        "without an id in partition.metadata, so that KRaft sets it aside: 1 replica (orders-0 of broker 1)"
    ]


def test_a_migration_that_was_given_up_must_not_be_taken_for_finished(ready: Any) -> None:
    ready.tables["migration"] = [{"metadata_offset": 4711, "is_copied": True}]
    assert ready.reasons("migrate") == [
        "/migration is left behind and says that all is copied, up to offset 4711: the next migration would copy nothing and "
        "delete the topics it does not know"
    ]


def test_a_migration_that_has_copied_nothing_may_go_on(ready: Any) -> None:
    ready.tables["migration"] = [{"metadata_offset": -1, "is_copied": False}]
    assert ready.reasons("migrate") == []


def test_a_kraft_controller_that_is_in_control_already(ready: Any) -> None:
    ready.tables["controllers"][0] |= {"controller_id": 101, "kraft_epoch": 3}
    ready.tables["migration"] = [{"metadata_offset": 4711, "is_copied": True}]
    assert ready.reasons("migrate") == ["node 101, a KRaft controller, is in control already"]


def test_brokers_that_migrate_and_tell_no_quorum_are_ruled_by_the_controller_that_writes(
    ready: Any,
) -> None:
    ready.tables["migration"] = [{"controller_id": 101, "metadata_offset": 4711, "is_copied": True}]
    ready.follow("kafka")
    assert "node 101, a KRaft controller, is in control already" in ready.reasons("migrate")
    assert not [reason for reason in ready.reasons("migrate") if "left behind" in reason]


def test_who_is_in_control_of_brokers_that_migrate_is_not_known_without_the_quorum(ready: Any) -> None:
    ready.tables["controllers"] = [{}]
    ready.follow("kafka")
    assert (
        "who is in control is not known: 0 quorums were seen (name bootstrap_controllers in varve.yaml)"
        in ready.reasons("controller-move")
    )


def test_brokers_have_to_go_by_one_version_that_can_migrate(ready: Any) -> None:
    goes_by(ready, "3.3-IV3", "3.9-IV0", "3.9-IV0")
    assert ready.reasons("migrate") == [
        f"the {PROTOCOL} of broker 1 is 3.3, and 3.4 is needed",
        f"brokers go by 2 {PROTOCOL}s: 3.3, 3.9",
        f"no broker with more than one log dir can be migrated before {PROTOCOL} 3.7, and there are 3",
    ]


def test_a_version_that_is_not_known_is_not_good_enough(ready: Any) -> None:
    ready.tables["broker_settings"].pop()
    assert ready.reasons("migrate") == [f"the {PROTOCOL} of broker 3 is not known"]


def test_what_kraft_holds_only_later_waits_for_that_version(ready: Any) -> None:
    goes_by(ready, *["3.4-IV0"] * 3)
    ready.tables["log_dirs"] = [{"broker_id": each, "path": "/d0"} for each in (1, 2, 3)]
    scram = {"iterations": 4096, "user": "alice"}
    ready.tables["scram_credentials"] = [
        {**scram, "mechanism": each} for each in ("SCRAM-SHA-256", "SCRAM-SHA-512")
    ]
    ready.tables["delegation_tokens"] = [{"token": "t1"}, {"token": "t2"}]
    assert ready.reasons("migrate") == [
        f"no SCRAM user can be migrated before {PROTOCOL} 3.5, and there are 1",
        f"no delegation token can be migrated before {PROTOCOL} 3.6, and there are 2",
    ]


def test_users_that_were_not_seen_are_not_safe(ready: Any) -> None:
    ready.gaps = [("zookeeper", "/config/users", "unauthorized", "no")]
    assert ready.reasons("migrate") == ["1 gap: zookeeper /config/users was not seen (unauthorized): no"]


def test_kraft_has_nothing_to_migrate(kraft_mode: Any) -> None:
    assert "KRaft is in control already" in kraft_mode.reasons("migrate")
