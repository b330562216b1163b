"""`varve history`: the life of one object, and why it changed."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}00Z" for minute in ("00", "10", "20", "30"))

Varve = Callable[..., Any]


@pytest.fixture
def incident(lake: Any) -> Any:
    """Broker 2 leaves and partition orders-3 loses it from the ISR; a topic goes and comes back."""
    of_partition = {"topic": "orders", "partition": 3, "replicas": [1, 2]}
    lake.change("partitions", FIRST, "keyframe", FIRST, **of_partition, leader=2, isr=[1, 2])
    lake.change("partitions", FIRST, "keyframe", FIRST, topic="orders", partition=30, replicas=[1])
    lake.change("topics", FIRST, "keyframe", FIRST, topic="audit", partitions=1)
    lake.commit(FIRST)
    lake.change("partitions", SECOND, "update", FIRST, **of_partition, leader=1, isr=[1])
    lake.change("topics", SECOND, "delete", FIRST, topic="audit", partitions=1)
    lake.happened("broker-left", "broker 2", FIRST, SECOND, from_value="b2:9092", partitions_touched=12)
    lake.happened("isr-shrank", "orders-3", FIRST, SECOND, "1,2", "1", partitions_touched=1)
    lake.happened("leader-moved", "orders-3", FIRST, SECOND, "2", "1", 1, reason="broker-left")
    lake.happened("isr-shrank", "orders-4", FIRST, SECOND, "1,2", "1", partitions_touched=1)
    lake.happened("topic-deleted", "audit", FIRST, SECOND, partitions_touched=1)
    lake.commit(SECOND)
    lake.commit(THIRD)
    lake.change("topics", FOURTH, "create", FIRST, topic="audit", partitions=6)
    lake.commit(FOURTH)
    return lake


@pytest.fixture
def life(incident: Any, varve: Varve) -> Callable[..., list[dict[str, Any]]]:
    def ask(*words: str) -> list[dict[str, Any]]:
        ended = varve("history", *words, "--cluster", incident.cluster, "--format", "json")
        assert ended.code == 0, ended.err
        assert "as of 2026-11-21 14:30:05Z" in ended.err
        versions: list[dict[str, Any]] = json.loads(ended.out)
        return versions

    return ask


def _event(
    event: str, subject: str, before: str | None, after: str | None = None, reason: str | None = None
) -> dict[str, str | None]:
    return {"event": event, "subject": subject, "from_value": before, "to_value": after, "reason": reason}


def test_each_version_tells_what_changed_and_what_happened_in_its_snapshot(life: Any) -> None:
    first, second = life("partition", "orders-3")
    assert (first["what"], first["name"], first["snapshot_id"]) == ("first-seen", "orders-3", FIRST)
    assert first["value"] == {"replicas": [1, 2], "leader": 2, "isr": [1, 2]}
    assert second == {
        "cluster": "orders",
        "name": "orders-3",
        "what": "changed",
        "valid_from": "2026-11-21T14:10:05Z",
        "valid_to": None,
        "snapshot_id": SECOND,
        "changes": [
            {"column": "leader", "old": 2, "new": 1},
            {"column": "isr", "old": [1, 2], "new": [1]},
        ],
        "events": [
            _event("isr-shrank", "orders-3", "1,2", "1"),
            _event("leader-moved", "orders-3", "2", "1", "broker-left"),
            _event("broker-left", "broker 2", "b2:9092"),
        ],
        "value": {"replicas": [1, 2], "leader": 1, "isr": [1]},
    }


def test_what_went_and_came_back_is_told_with_the_time_it_was_not_there(life: Any) -> None:
    assert [
        (each["what"], each["valid_from"][11:16], each["snapshot_id"]) for each in life("topic", "audit")
    ] == [
        ("first-seen", "14:00", FIRST),
        ("deleted", "14:10", SECOND),
        ("created-again", "14:30", FOURTH),
    ]
    assert [event["event"] for event in life("topic", "audit")[1]["events"]] == ["topic-deleted"]


def test_a_source_is_read_before_its_snapshot_ends_and_what_it_saw_gone_is_of_that_snapshot(
    lake: Any, life: Any
) -> None:
    member = {"node_id": 3, "directory_id": "AAAA", "role": "voter"}
    lake.change("quorum_members", FIRST, "keyframe", FIRST, **member)
    early = {"changed_at": datetime(2026, 11, 21, 14, 19, 58, tzinfo=UTC), "snapshot_id": THIRD}
    lake.append("quorum_members", [{"op": "delete", "era": FIRST, "written_by": THIRD, **early, **member}])
    gone = life("quorum-member", "3")[-1]
    assert (gone["what"], gone["snapshot_id"], gone["valid_from"]) == (
        "deleted",
        THIRD,
        "2026-11-21T14:19:58Z",
    )


def test_only_versions_that_stood_at_some_time_in_between_are_shown(life: Any) -> None:
    def between(*words: str) -> list[str]:
        return [each["what"] for each in life("topic", "audit", *words)]

    assert between("--since", "2026-11-21T14:10:05") == ["deleted", "created-again"]
    assert between("--until", "2026-11-21T14:10") == ["first-seen"]
    assert between("--since", "2026-11-21T14:15", "--until", "2026-11-21T14:16") == ["deleted"]
    assert between("--since", SECOND, "--until", THIRD) == ["deleted"]
    assert between("--until", "2026-11-20") == []


@pytest.mark.parametrize(
    ("table", "row", "words", "name"),
    [
        ("topics", {"topic": "a-1"}, ["topic", "a-1"], "a-1"),
        ("brokers", {"broker_id": 2}, ["broker", "2"], "2"),
        (
            "configs",
            {"scope": "topic", "entity": "orders", "name": "retention.ms", "value": "5"},
            ["config", "topic", "orders", "retention.ms"],
            "topic orders retention.ms",
        ),
        ("quorum_members", {"node_id": 3, "role": "voter"}, ["quorum-member", "3"], "3 "),
        (
            "disk_replicas",
            {"broker_id": 2, "path": "/d0", "dir_name": "a-1", "kind": "current"},
            ["replica", "2", "/d0/a-1"],
            "2 /d0/a-1",
        ),
        (
            "disk_replicas",
            {"broker_id": 2, "path": "/d0", "dir_name": "a-1", "kind": "current"},
            ["replica", "2", "a-1"],
            "2 /d0/a-1",
        ),
        ("controllers", {"controller_id": 1}, ["controller"], "controller"),
        (
            "broker_settings",
            {"broker_id": 2, "name": "min.insync.replicas", "value": "2"},
            ["broker-setting", "2", "min.insync.replicas"],
            "2 min.insync.replicas",
        ),
        ("admin_log_dirs", {"broker_id": 2, "path": "/d0"}, ["broker-log-dir", "2", "/d0"], "2 /d0"),
        (
            "broker_views",
            {"broker_id": 2, "topic": "a-b", "partition": 1, "leader": 3},
            ["broker-view", "2", "a-b-1"],
            "2 a-b-1",
        ),
        ("broker_views", {"broker_id": 2, "compared": 7}, ["broker-view", "2"], "2"),
        ("log_dirs", {"broker_id": 2, "path": "/d0"}, ["log-dir", "2"], "2 /d0"),
        (
            "acls",
            {
                "resource_type": "TOPIC",
                "pattern_type": "LITERAL",
                "resource_name": "a",
                "principal": "User:x",
                "host": "*",
                "operation": "READ",
                "permission": "ALLOW",
            },
            ["acl", "TOPIC", "LITERAL", "a"],
            "TOPIC LITERAL a User:x * READ ALLOW",
        ),
    ],
)
def test_every_kind_is_named_in_its_own_way(
    life: Any, lake: Any, table: str, row: dict[str, Any], words: list[str], name: str
) -> None:
    lake.change(table, FIRST, "keyframe", FIRST, **row)
    assert [(each["what"], each["name"]) for each in life(*words)] == [("first-seen", name)]


def test_a_log_dir_that_failed_is_told_with_what_happened_to_its_broker(lake: Any, life: Any) -> None:
    failed = {"broker_id": 2, "path": "/d0", "error": "KAFKA_STORAGE_ERROR"}
    lake.change("admin_log_dirs", FIRST, "keyframe", FIRST, broker_id=2, path="/d0")
    lake.change("admin_log_dirs", SECOND, "update", FIRST, **failed)
    (_, then) = life("broker-log-dir", "2")
    assert then["changes"] == [{"column": "error", "old": None, "new": "KAFKA_STORAGE_ERROR"}]
    assert [event["event"] for event in then["events"]] == ["broker-left"]


def test_a_setting_is_told_with_where_the_broker_has_it_from(lake: Any, life: Any) -> None:
    setting = {"broker_id": 2, "name": "min.insync.replicas"}
    lake.change("broker_settings", FIRST, "keyframe", FIRST, **setting, value="1", source="DEFAULT_CONFIG")
    lake.change(
        "broker_settings", SECOND, "update", FIRST, **setting, value="2", source="STATIC_BROKER_CONFIG"
    )
    assert life("broker-setting", "2")[1]["changes"] == [
        {"column": "value", "old": "1", "new": "2"},
        {"column": "source", "old": "DEFAULT_CONFIG", "new": "STATIC_BROKER_CONFIG"},
    ]


def test_what_the_newest_snapshot_did_not_see_is_said(incident: Any, varve: Varve) -> None:
    gap = ("zookeeper", "/brokers/topics/orders", "unauthorized", "no read right")
    incident.commit("20261121T144000Z", gap)
    ended = varve("history", "partition", "orders-3", "--cluster", incident.cluster, "--format", "csv")
    told = "not seen by the newest snapshot of orders, and may have changed: partition orders-3\n"
    assert ended.err.startswith(told)
    seen = varve("history", "topic", "audit", "--cluster", incident.cluster)
    assert "may have changed" not in seen.out


def test_one_name_may_be_that_of_several_objects(life: Any, lake: Any) -> None:
    for config in ("retention.ms", "cleanup.policy"):
        lake.change("configs", FIRST, "keyframe", FIRST, scope="topic", entity="orders", name=config)
    assert [each["name"] for each in life("config", "topic", "orders")] == [
        "topic orders cleanup.policy",
        "topic orders retention.ms",
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["partitoin", "a-1"], "There is no kind of object 'partitoin': did you mean partition?"),
        (["partition", "orders"], "'orders' is no name of this kind: write TOPIC-PARTITION"),
        (["partition"], "'' is no name of this kind"),
        (["broker", "two"], "'two' is no name of this kind: write BROKER_ID"),
        (["topic", "a", "b"], "'a b' is no name of this kind: write TOPIC"),
        (
            ["broker-view", "2", "orders"],
            "'2 orders' is no name of this kind: write BROKER_ID [TOPIC-PARTITION]",
        ),
        (["partition", "order-3"], "The lake never knew 'order-3' in partitions: did you mean orders-3"),
        (["topic", "';--"], 'The lake never knew "\';--" in topics'),
    ],
)
def test_what_cannot_be_told_says_what_can(
    incident: Any, varve: Varve, words: list[str], complaint: str
) -> None:
    ended = varve("history", *words, "--cluster", incident.cluster)
    assert (ended.code, ended.out) == (2, "")
    assert complaint in ended.err


def test_a_person_reads_each_version_with_what_changed_from_what_to_what(incident: Any, varve: Varve) -> None:
    ended = varve("history", "partition", "orders-3", "--cluster", incident.cluster)
    *lines, as_of = [line.rstrip() for line in ended.out.splitlines()]
    assert lines == [
        "partition orders-3 of orders",
        f"  2026-11-21 14:00:05Z to 2026-11-21 14:10:05Z  first seen  snapshot {FIRST}",
        "      replicas  [1, 2]",
        "      leader    2",
        "      isr       [1, 2]",
        f"  2026-11-21 14:10:05Z to now  changed  snapshot {SECOND}",
        "      leader  2 → 1",
        "      isr     [1, 2] → [1]",
        "      orders-3:  isr-shrank 1,2 → 1",
        "      orders-3:  leader-moved 2 → 1 (broker-left)",
        "      broker 2:  broker-left b2:9092",
        "",
    ]
    assert as_of.startswith("as of 2026-11-21 14:30:05Z")
