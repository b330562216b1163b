"""Gates open when a snapshot shows that it is safe, and say each reason when it does not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

GATES = ["roll", "controller-move"]
OTHER = "yVMirExZQD6HmroKJ5p6HA"
AT = datetime(2026, 11, 20, tzinfo=UTC)
_NUMBERS = "czxid mzxid pzxid version cversion aversion ephemeral_owner data_length num_children"
ZNODE: dict[str, Any] = {"encoding": "utf-8", "ctime": AT, "mtime": AT} | dict.fromkeys(_NUMBERS.split(), 0)


@pytest.mark.parametrize("gate", GATES)
def test_a_healthy_cluster_may_be_touched(either: Any, gate: str) -> None:
    assert either.reasons(gate) == []


def test_a_snapshot_that_is_too_old_proves_nothing(either: Any) -> None:
    assert either.reasons("roll", later=timedelta(minutes=26)) == [
        f"the newest snapshot, 20261121T000000Z, is too old: {either.sources[0]} was read 30 minutes ago, and no more than 30 minutes are allowed"
    ]


def test_a_snapshot_that_is_just_young_enough_counts(either: Any) -> None:
    assert either.reasons("roll", later=timedelta(minutes=25)) == []


def test_a_snapshot_from_the_future_proves_nothing(either: Any) -> None:
    assert either.reasons("roll", later=timedelta(minutes=-10)) == [
        "snapshot 20261121T000000Z is 305 seconds in the future: a clock is wrong"
    ]


def test_without_a_snapshot_nothing_is_safe(lake: Any) -> None:
    from jobs.gates.parts.gate import all_gates, reasons_against
    from jobs.lake.snapshot_id import logical_time

    now = logical_time("20261121T000000Z")
    (reason,) = reasons_against(
        all_gates()["roll"], lake.storage, lake.cluster, None, timedelta(hours=1), now
    )
    assert "has no snapshot of orders yet" in reason


@pytest.mark.parametrize("gate", GATES)
def test_a_gap_where_it_looks_closes_a_gate(zookeeper_mode: Any, gate: str) -> None:
    zookeeper_mode.gaps = [("zookeeper", "/brokers/topics/new", "unreadable", "cut off")]
    assert zookeeper_mode.reasons(gate) == [
        "1 gap: zookeeper /brokers/topics/new was not seen (unreadable): cut off"
    ]


def test_a_gap_elsewhere_does_not(zookeeper_mode: Any) -> None:
    zookeeper_mode.gaps = [
        ("zookeeper", "/kafka-acl", "unauthorized", "no"),
        ("kafka", "/quotas", "unauthorized", "no"),
    ]
    assert zookeeper_mode.reasons("controller-move") == []


def test_only_the_controllers_move_rests_on_disks(zookeeper_mode: Any) -> None:
    zookeeper_mode.gaps = [("log_dirs", "/2/d0", "unreachable", "ssh")]
    assert zookeeper_mode.reasons("roll", broker=1) == []


@pytest.mark.parametrize(("gate", "broker"), [("roll", 3), ("roll", None), ("controller-move", None)])
def test_what_moves_the_controller_needs_every_disk(
    zookeeper_mode: Any, gate: str, broker: int | None
) -> None:
    zookeeper_mode.gaps = [("log_dirs", "/2/d0", "unreachable", "ssh")]
    assert zookeeper_mode.reasons(gate, broker) == [
        "1 gap: log_dirs /2/d0 was not seen (unreachable): ssh",
        "the id on the disks was not seen everywhere: 1 topic (orders)",
    ]


def test_a_source_that_was_not_read_closes_a_gate(zookeeper_mode: Any) -> None:
    zookeeper_mode.sources = ["zookeeper", "kafka"]
    zookeeper_mode.tables.pop("disk_replicas")
    assert zookeeper_mode.reasons("controller-move") == [
        "the snapshot holds nothing of log_dirs: 1 table not seen (disk_replicas)",
        "the id on the disks was not seen everywhere: 1 topic (orders)",
    ]


@pytest.mark.parametrize("gate", GATES)
def test_nobody_in_control(either: Any, gate: str) -> None:
    either.tables["controllers"] = []
    assert either.reasons(gate) == ["nobody is in control: 0 controllers"]


def test_a_controller_that_is_not_registered(zookeeper_mode: Any) -> None:
    zookeeper_mode.tables["controllers"][0]["controller_id"] = 4
    assert zookeeper_mode.reasons("controller-move") == ["broker 4 is the controller and is not there"]


@pytest.mark.parametrize("gate", GATES)
def test_a_broker_is_missing(either: Any, gate: str) -> None:
    either.tables["brokers"].pop(1)
    either.tables["partitions"][1]["leader"] = 3
    assert either.reasons(gate)[0] == "broker 2 is not there or fenced, with 2 replicas"


@pytest.mark.parametrize("gate", GATES)
def test_a_fenced_broker_with_replicas_is_missing_and_one_without_is_not(either: Any, gate: str) -> None:
    either.tables["brokers"][1]["fenced"] = True
    either.tables["brokers"].append({"broker_id": 4, "fenced": True})
    either.tables["partitions"][1]["leader"] = 3
    missing = [reason for reason in either.reasons(gate) if "fenced" in reason]
    assert missing == ["broker 2 is not there or fenced, with 2 replicas"]


@pytest.mark.parametrize("gate", GATES)
def test_an_offline_partition_closes_a_gate(either: Any, gate: str) -> None:
    either.tables["partitions"][1] |= {"leader": -1, "isr": [2]}
    assert either.reasons(gate)[0] == "offline: 1 partition (orders-1)"


@pytest.mark.parametrize("gate", GATES)
def test_a_partition_under_min_isr_closes_a_gate(either: Any, gate: str) -> None:
    either.tables["partitions"][0]["isr"] = [1]
    assert either.reasons(gate)[0] == "under min ISR: 1 partition (orders-0)"


def test_a_partition_out_of_sync_closes_the_roll_and_not_the_controllers_move(either: Any) -> None:
    either.tables["partitions"][0]["isr"] = [1, 2]
    assert either.reasons("roll", broker=3) == ["out of sync: 1 partition (orders-0)"]
    assert either.reasons("controller-move") == []


def test_the_broker_that_would_take_a_partition_under_min_isr_may_not_be_restarted(either: Any) -> None:
    either.tables["partitions"][0]["isr"] = [1, 2]
    assert either.reasons("roll", broker=2) == [
        "out of sync: 1 partition (orders-0)",
        "broker 2: 1 partition would be under min ISR",
    ]


def test_a_partition_with_one_replica_goes_offline_with_its_broker_only(either: Any) -> None:
    single = {"topic": "audit", "partition": 0, "replicas": [2], "leader": 2, "isr": [2]}
    either.tables["partitions"].append(single)
    assert either.reasons("roll", broker=2) == ["broker 2: 1 partition would go offline"]
    assert either.reasons("roll", broker=1) == []


def test_a_broker_that_is_not_registered_cannot_be_restarted(either: Any) -> None:
    assert either.reasons("roll", broker=9) == ["broker 9 is not registered"]


@pytest.mark.parametrize("gate", GATES)
def test_a_reassignment_or_deletion_under_way_closes_a_gate(either: Any, gate: str) -> None:
    either.tables["partitions"][0]["removing"] = [3]
    either.tables["topics"].append({"topic": "audit", "deletion_pending": True})
    assert either.reasons(gate) == [
        "being reassigned: 1 partition (orders-0)",
        "being deleted: 1 topic (audit)",
    ]


@pytest.mark.parametrize("gate", GATES)
def test_a_reassignment_that_waits_in_zookeeper_closes_a_gate(zookeeper_mode: Any, gate: str) -> None:
    zookeeper_mode.tables["znodes"] = [{"path": "/admin/reassign_partitions", **ZNODE}]
    assert zookeeper_mode.reasons(gate) == [
        "1 znode, /admin/reassign_partitions, says that a reassignment is under way"
    ]


@pytest.mark.parametrize("gate", GATES)
def test_what_is_malformed_closes_a_gate(either: Any, gate: str) -> None:
    either.tables["topics"].append({"topic": "audit", "problem": "not JSON"})
    either.tables["partitions"].append({"topic": "audit", "partition": 0, "problem": "not JSON"})
    assert either.reasons(gate) == [
        "not seen, or malformed: 1 partition (audit-0)",
        "not seen, or malformed: 1 topic (audit)",
    ]


@pytest.mark.parametrize(("gate", "broker"), [("roll", 3), ("controller-move", None)])
def test_a_latent_topic_id_keeps_the_controller_where_it_is(
    zookeeper_mode: Any, gate: str, broker: int | None
) -> None:
    zookeeper_mode.tables["topics"][0]["topic_id"] = None
    assert zookeeper_mode.reasons(gate, broker) == [
        "a new controller would give it another id than its disks have (topic-id-latent): 1 topic (orders)"
    ]


def test_a_latent_topic_id_does_not_keep_other_brokers_from_a_restart(zookeeper_mode: Any) -> None:
    zookeeper_mode.tables["topics"][0]["topic_id"] = None
    assert zookeeper_mode.reasons("roll", broker=1) == []


def test_one_disk_with_another_id_is_proof(zookeeper_mode: Any) -> None:
    zookeeper_mode.tables["disk_replicas"][0]["topic_id"] = OTHER
    zookeeper_mode.gaps = [("log_dirs", "/2/d0", "unreachable", "ssh")]
    assert zookeeper_mode.reasons("controller-move")[1:] == [
        "another id on a disk than in ZooKeeper, or several (topic-id-mismatch): 1 topic (orders)"
    ]


def test_where_neither_zookeeper_nor_a_disk_has_an_id_a_new_one_harms_nobody(zookeeper_mode: Any) -> None:
    zookeeper_mode.tables["topics"][0]["topic_id"] = None
    for replica in zookeeper_mode.tables["disk_replicas"]:
        replica["topic_id"] = None
    assert zookeeper_mode.reasons("controller-move") == []


def test_a_topic_without_an_id_and_without_a_disk_is_not_known(zookeeper_mode: Any) -> None:
    zookeeper_mode.tables["topics"][0]["topic_id"] = None
    zookeeper_mode.tables["disk_replicas"] = []
    assert zookeeper_mode.reasons("controller-move") == [
        "the id on the disks was not seen everywhere: 1 topic (orders)"
    ]


def test_over_the_kafka_api_alone_a_lost_id_is_not_seen(kraft_mode: Any) -> None:
    for table in ("quorum", "quorum_members", "quorum_progress"):
        kraft_mode.tables.pop(table)
    kraft_mode.tables["controllers"][0]["controller_id"] = 3
    assert kraft_mode.reasons("controller-move") == [
        "the snapshot holds nothing of log_dirs: 1 table not seen (disk_replicas)",
        "0 topic ids of ZooKeeper are in the snapshot: a topic that lost its id is not seen over the Kafka API",
        "the id on the disks was not seen everywhere: 1 topic (orders)",
    ]


def test_the_last_broker_has_no_successor(zookeeper_mode: Any) -> None:
    alone = {"replicas": [3], "isr": [3], "leader": 3}
    for partition in zookeeper_mode.tables["partitions"]:
        partition |= alone
    zookeeper_mode.tables["brokers"] = [{"broker_id": 3}]
    assert zookeeper_mode.reasons("controller-move") == [
        "0 other brokers are there to take over from the controller"
    ]


@pytest.mark.parametrize("gate", GATES)
def test_a_voter_that_does_not_fetch_closes_a_gate(kraft_mode: Any, gate: str) -> None:
    first, second, third = kraft_mode.tables["quorum_progress"]
    second["last_fetch_at"] -= timedelta(seconds=11)
    third["last_fetch_at"] = None
    assert kraft_mode.reasons(gate) == [
        "voter 102 is down: its last fetch was 11 seconds before the leader answered",
        "voter 103 is not known to fetch",
    ]
    assert first["last_fetch_at"] is not None


def test_a_voter_that_fetched_ten_seconds_ago_is_up(kraft_mode: Any) -> None:
    kraft_mode.tables["quorum_progress"][1]["last_fetch_at"] -= timedelta(seconds=10)
    assert kraft_mode.reasons("controller-move") == []


def test_a_quorum_of_two_has_no_majority_without_its_leader(kraft_mode: Any) -> None:
    for table in ("quorum_members", "quorum_progress"):
        kraft_mode.tables[table].pop()
    assert kraft_mode.reasons("controller-move") == [
        "node 101 is one of 2 voters: without it 1 would be left, and 2 are a majority"
    ]
    assert kraft_mode.reasons("roll", broker=1) == []


def test_a_broker_that_is_a_voter_of_two_may_not_be_restarted(kraft_mode: Any) -> None:
    for table in ("quorum_members", "quorum_progress"):
        kraft_mode.tables[table].pop()
        kraft_mode.tables[table][0]["node_id"] = 1
    assert kraft_mode.reasons("roll", broker=1) == [
        "node 1 is one of 2 voters: without it 1 would be left, and 2 are a majority"
    ]
