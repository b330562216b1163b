"""What ZooKeeper and KRaft have of the same things while a migration writes to both."""

import json
from datetime import timedelta
from typing import Any

import pytest

from jobs.checks.migration_drift import CHECK
from tests.jobs.checks.conftest import READ_AT

TOPIC_ID = "9PAWjS9XQPa_kQJZ5iTE4w"
TOPIC, STATE = "/brokers/topics/orders", "/brokers/topics/orders/partitions/0/state"
TREE: dict[str, Any] = {
    "/controller": {"version": 2, "brokerid": 101, "kraftControllerEpoch": 4},
    "/migration": {"kraft_metadata_offset": 100},
    TOPIC: {"version": 3, "topic_id": TOPIC_ID, "partitions": {"0": [1, 2, 3]}, "adding_replicas": {}},
    STATE: {"controller_epoch": 4, "leader": 1, "leader_epoch": 7, "isr": [1, 2, 3]},
    "/config/topics/orders": {"version": 1, "config": {"retention.ms": "60000", "cleanup.policy": "compact, delete"}},
    "/config/brokers/<default>": {"version": 1, "config": {"log.cleaner.threads": "2"}},
    "/config/users/al%20ice": {"version": 1, "config": {"SCRAM-SHA-256": "present,iterations=4096"}},
    "/config/users/<default>/clients/app": {"version": 1, "config": {"producer_byte_rate": "1024"}},
    "/kafka-acl/Topic/orders": {
        "version": 1,
        "acls": [{"principal": "User:alice", "permissionType": "Allow", "operation": "Read", "host": "*"}],
    },
}  # fmt: skip
API: dict[str, list[dict[str, Any]]] = {
    "admin_cluster": [{"cluster_id": "ours"}],
    "admin_brokers": [{"broker_id": each} for each in (1, 2, 3)],
    "admin_topics": [{"topic": "orders", "topic_id": TOPIC_ID}],
    "admin_partitions": [
        {"topic": "orders", "partition": 0, "replicas": [1, 2, 3], "isr": [3, 1, 2], "leader": 1, "leader_epoch": 7}
    ],
    "admin_configs": [
        {"scope": "topic", "entity": "orders", "name": "retention.ms", "value": "60000", "is_sensitive": False},
        {"scope": "topic", "entity": "orders", "name": "cleanup.policy", "value": "compact,delete", "is_sensitive": False},
        {"scope": "broker", "entity": "<default>", "name": "log.cleaner.threads", "value": "2", "is_sensitive": False},
    ],
    "admin_quotas": [{"user": "<default>", "client_id": "app", "name": "producer_byte_rate", "value": 1024.0}],
    "admin_scram_credentials": [{"user": "al ice", "mechanism": "SCRAM-SHA-256", "iterations": 4096}],
    "admin_acls": [
        {"resource_type": "Topic", "pattern_type": "literal", "resource_name": "orders", "principal": "User:alice"}
        | {"host": "*", "operation": "Read", "permission": "Allow"}
    ],
    "quorum": [{"leader_id": 101, "leader_epoch": 4}],
}  # fmt: skip


class Sides:
    """Both sides of a cluster in migration, of which a test changes one; `more` are further frames."""

    def __init__(self, now: Any, before: Any, judged: Any) -> None:
        self._now, self._before, self._judged = now, before, judged
        self.tree = json.loads(json.dumps(TREE))
        self.api = json.loads(json.dumps(API))
        self.has_been_copied, self.offset, self.written = True, 100, READ_AT

    def told(self, *more: Any) -> Any:
        """What the check says of each subject."""
        znodes = [
            {
                "path": path,
                "data": json.dumps(data),
                "mtime": self.written if path == "/migration" else READ_AT,
            }
            for path, data in self.tree.items()
        ]
        frames = {
            "znodes": self._now("znodes", *znodes),
            "migration": self._now(
                "migration", {"metadata_offset": self.offset, "is_copied": self.has_been_copied}
            ),
            "quorum_progress_before": self._before("quorum_progress", {"high_watermark": 101}),
            "snapshots_before": self._before("snapshots", {}),
            **{table: self._now(table, *rows) for table, rows in self.api.items()},
        }
        return self._judged(CHECK, *(frames | {each.name: each for each in more}).values())


@pytest.fixture
def sides(now: Any, before: Any, judged: Any) -> Sides:
    return Sides(now, before, judged)


def differs(what: str, zookeeper: str | None, kafka: str | None, znode: str) -> dict[str, Any]:
    return {"differences": [{"what": what, "zookeeper": zookeeper, "kafka": kafka, "znode": znode}]}


def test_both_sides_say_the_same_each_in_its_own_spelling(sides: Sides) -> None:
    assert sides.told() == {}


def test_a_topic_that_only_one_side_has_is_one_difference(sides: Sides) -> None:
    sides.api["admin_topics"].append({"topic": "audit", "topic_id": None})
    sides.tree["/brokers/topics/old"] = TREE[TOPIC]
    sides.tree["/brokers/topics/going"] = TREE[TOPIC]
    sides.tree["/admin/delete_topics/going"] = {}
    assert sides.told() == {
        "audit": differs("topic_id", None, "none", "/brokers/topics/audit"),
        "old": differs("topic_id", TOPIC_ID, None, "/brokers/topics/old"),
    }


def test_another_topic_id(sides: Sides) -> None:
    sides.tree[TOPIC]["topic_id"] = "lgmnKwzRRYyGGIhse3SOZw"
    assert sides.told() == {"orders": differs("topic_id", "lgmnKwzRRYyGGIhse3SOZw", TOPIC_ID, TOPIC)}


@pytest.mark.parametrize(
    ("path", "change", "what", "zookeeper", "kafka"),
    [
        (TOPIC, {"partitions": {"0": [2, 1, 3]}}, "replicas", "[2, 1, 3]", "[1, 2, 3]"),
        (TOPIC, {"adding_replicas": {"0": [3]}}, "adding", "[3]", "[]"),
        (STATE, {"leader": 2}, "leader", "2", "1"),
        (STATE, {"leader_epoch": 6}, "leader_epoch", "6", "7"),
        (STATE, {"isr": [1, 2]}, "isr", "[1, 2]", "[1, 2, 3]"),
    ],
)
def test_what_is_said_of_a_partition(
    path: str, change: Any, what: str, zookeeper: str, kafka: str, sides: Sides
) -> None:
    sides.tree[path] |= change
    assert sides.told() == {"orders-0": differs(what, zookeeper, kafka, path)}


def test_a_leader_that_does_not_answer_is_no_difference_nor_are_the_epoch_of_the_controller_and_the_order_of_the_isr(
    sides: Sides,
) -> None:
    sides.api["admin_partitions"][0]["leader"] = -1
    sides.tree[STATE] |= {"controller_epoch": 9, "isr": [2, 3, 1]}
    assert sides.told() == {}


@pytest.mark.parametrize(
    ("path", "config", "subject", "found"),
    [
        ("/config/topics/orders", {"retention.ms": "1"}, "orders", ("retention.ms", "1", "60000")),
        ("/config/topics/orders", {"retention.bytes": "1"}, "orders", ("retention.bytes", "1", None)),
        ("/config/brokers/<default>", {"log.cleaner.threads": "3"}, "broker <default>", ("log.cleaner.threads", "3", "2")),
        (
            "/config/users/<default>/clients/app",
            {"producer_byte_rate": "1"},
            "user <default>, client app",
            ("producer_byte_rate", "1.0", "1024.0"),
        ),
        (
            "/config/users/al%20ice",
            {"SCRAM-SHA-256": "present,iterations=8192"},
            "user al ice",
            ("SCRAM-SHA-256", "8192 iterations", "4096 iterations"),
        ),
    ],
)  # fmt: skip
def test_what_was_set(
    path: str, config: Any, subject: str, found: tuple[str, str, str | None], sides: Sides
) -> None:
    sides.tree[path]["config"] |= config
    assert sides.told() == {subject: differs(*found, path)}


def test_what_was_set_on_one_side_only(sides: Sides) -> None:
    sides.tree["/config/brokers/<default>"]["config"] = {}
    sides.tree["/config/users/al%20ice"]["config"] = {}
    assert sides.told() == {
        "broker <default>": differs("log.cleaner.threads", None, "2", "/config/brokers/<default>"),
        "user al ice": differs("SCRAM-SHA-256", None, "4096 iterations", "/config/users"),
    }


def test_the_config_of_a_broker_that_is_not_there_and_the_value_of_a_secret_are_not_compared(
    sides: Sides,
) -> None:
    sides.tree["/config/brokers/9"] = {"config": {"log.cleaner.threads": "3"}}
    sides.tree["/config/brokers/1"] = {"config": {"ssl.key.password": "present"}}
    secret = {"scope": "broker", "entity": "1", "name": "ssl.key.password", "is_sensitive": True}
    sides.api["admin_configs"].append(secret)
    assert sides.told() == {}
    sides.tree["/config/brokers/1"]["config"] = {}
    assert sides.told() == {"broker 1": differs("ssl.key.password", None, "secret", "/config/brokers/1")}


def test_an_entry_of_one_side_only(sides: Sides) -> None:
    sides.tree["/kafka-acl/Topic/orders"]["acls"][0]["operation"] = "Write"
    assert sides.told()["Topic orders"]["differences"] == [
        differs("Allow User:alice Read from *", None, "is there", "/kafka-acl/Topic/orders")["differences"][0],
        differs("Allow User:alice Write from *", "is there", None, "/kafka-acl/Topic/orders")["differences"][0],
    ]  # fmt: skip
    sides.api["admin_acls"] = []
    assert sides.told() == {}  # no authorizer


def test_another_controller(sides: Sides) -> None:
    sides.tree["/controller"]["kraftControllerEpoch"] = 3
    assert sides.told() == {"controller": differs("controller_epoch", "3", "4", "/controller")}


def test_what_moved_since_the_snapshot_before_may_be_in_flight(sides: Sides, changes: Any) -> None:
    sides.tree[STATE]["leader"] = 2
    assert set(sides.told()) == {"orders-0"}
    assert sides.told(changes("znodes", {"path": STATE})) == {"orders-0": "unknown"}
    assert sides.told(changes("admin_partitions", {"topic": "orders", "partition": 0})) == {
        "orders-0": "unknown"
    }
    assert set(sides.told(changes("admin_partitions", {"topic": "orders", "partition": 1}))) == {"orders-0"}


def test_zookeeper_must_have_what_kraft_had_in_the_snapshot_before(sides: Sides, before: Any) -> None:
    sides.tree[STATE]["leader"] = 2
    sides.offset = 99
    assert sides.told() == {"orders-0": "unknown"}
    sides.offset = 100
    older = before("quorum_progress", {"high_watermark": 101, "written_by": "20261121T134000Z"})
    assert sides.told(older) == {"orders-0": "unknown"}


@pytest.mark.parametrize(
    ("source", "scope", "is_hidden"),
    [
        ("kafka", "/topics", True),
        ("kafka", "/topics/orders", True),
        ("kafka", "/topics/orders2", False),
        ("zookeeper", "/", True),
        ("zookeeper", TOPIC, True),
        ("zookeeper", "/config", False),
    ],
)
def test_what_was_not_seen_is_not_known(
    source: str, scope: str, is_hidden: bool, sides: Sides, now: Any
) -> None:
    sides.tree[STATE]["leader"] = 2
    told = sides.told(now("coverage_gaps", {"source": source, "scope": scope}))
    assert (told == {"orders-0": "unknown"}) is is_hidden


def test_a_malformed_znode_is_no_difference_of_each_of_its_partitions(sides: Sides) -> None:
    sides.tree[TOPIC] = [1]
    assert sides.told() == {"orders": differs("topic_id", "none", TOPIC_ID, TOPIC)}


def test_nothing_is_compared_before_the_copy_and_a_day_after_the_last_write(sides: Sides) -> None:
    sides.tree[STATE]["leader"] = 2
    sides.has_been_copied = False
    assert sides.told() == {}
    sides.has_been_copied, sides.written = True, READ_AT - timedelta(hours=25)
    assert sides.told() == {}
    sides.written = READ_AT - timedelta(hours=23)
    assert set(sides.told()) == {"orders-0"}
