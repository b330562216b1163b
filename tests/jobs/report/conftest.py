"""Two clusters with a past: one in ZooKeeper mode that loses a broker, one on KRaft with a member that stops."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.lake.read import open_reader
from jobs.report.content import Content, read_content
from jobs.report.report import render

SNAPSHOTS = [f"20261121T00{minute:02}00Z" for minute in (0, 10, 20, 30)]
FIRST, SECOND, THIRD, FOURTH = SNAPSHOTS
NOW = datetime(2026, 11, 21, 0, 35, 5, tzinfo=UTC)


def at(snapshot_id: str) -> datetime:
    return datetime.strptime(snapshot_id, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) + timedelta(seconds=5)


@pytest.fixture
def content_of() -> Callable[[Any], Content]:
    """What a written lake has to say."""
    return lambda lake: read_content(open_reader(lake.storage, [lake.cluster]))


@pytest.fixture
def report_of(content_of: Callable[[Any], Content]) -> Callable[[Any], str]:
    """The report of a written lake, as HTML."""
    return lambda lake: render(content_of(lake), NOW, {"BOOTSTRAP_SERVERS": "b1:9092"})


class Say:
    """Writes rows of one snapshot into a lake."""

    def __init__(self, lake: Any) -> None:
        self._lake = lake

    def state(self, table: str, snapshot_id: str, op: str, *rows: dict[str, Any]) -> None:
        stamp = {"changed_at": at(snapshot_id), "snapshot_id": snapshot_id, "written_by": snapshot_id}
        self._lake.append(table, [{"op": op, "era": FIRST, **stamp, **row} for row in rows])

    def findings(self, snapshot_id: str, *rows: dict[str, Any], op: str = "create") -> None:
        row = {
            "check_id": "offline-partition",
            "subject": "orders-0",
            "severity": "critical",
            "status": "open",
            "first_seen_at": at(snapshot_id),
            "evidence": {},
            "remedy": "Bring back a broker of the ISR.",
        }
        filled = [row | each for each in rows]
        filled = [each | {"evidence": json.dumps(each["evidence"])} for each in filled]
        self.state("findings", snapshot_id, op, *filled)

    def events(self, snapshot_id: str, *rows: dict[str, Any]) -> None:
        row = {
            "partitions_touched": 1,
            "since_snapshot_id": FIRST,
            "since_at": at(snapshot_id) - timedelta(minutes=10),
            "captured_at": at(snapshot_id),
            "snapshot_id": snapshot_id,
        }
        self._lake.append("events", [row | each for each in rows])

    def results(self, snapshot_id: str, *rows: dict[str, Any]) -> None:
        row = {"suite": "topics", "table_name": "topics", "severity": "critical", "success": True}
        self._lake.append("expectation_results", [row | {"snapshot_id": snapshot_id} | each for each in rows])


@pytest.fixture
def say(lake: Any) -> Say:
    return Say(lake)


_PARTITIONS = (
    ("orders", 0, [2]),
    ("orders", 1, [1]),
    ("payments", 0, [1, 2, 3]),
    ("payments", 1, [2, 3, 1]),
    ("payments", 2, [3, 1, 2]),
)


def _partition(topic: str, number: int, replicas: list[int], isr: list[int], leader: int) -> dict[str, Any]:
    names = ("topic", "partition", "replicas", "isr", "leader", "adding")
    return dict(zip(names, (topic, number, replicas, isr, leader, []), strict=True))


def _broker(number: int) -> dict[str, Any]:
    return {
        "broker_id": number,
        "endpoints": [f"PLAINTEXT://b{number}:9092"],
        "rack": "a",
        "registered_at": at(FIRST) - timedelta(hours=3),
    }


@pytest.fixture
def healthy(lake: Any, say: Say) -> Any:
    """Three brokers, two topics, two snapshots in which nothing happens."""
    topics = [{"topic": topic, "partitions": count} for topic, count in (("orders", 2), ("payments", 3))]
    say.state("topics", FIRST, "keyframe", *topics)
    partitions = [_partition(topic, number, all_, all_, all_[0]) for topic, number, all_ in _PARTITIONS]
    say.state("partitions", FIRST, "keyframe", *partitions)
    say.state("brokers", FIRST, "keyframe", *map(_broker, (1, 2, 3)))
    say.state("controllers", FIRST, "keyframe", {"controller_id": 2, "epoch": 4})
    lake.commit(FIRST)
    lake.commit(SECOND)
    return lake


@pytest.fixture
def lost_broker(healthy: Any, say: Say) -> Any:
    """Broker 2 is killed before the third snapshot; orders-0 has no other replica."""
    say.state("brokers", THIRD, "delete", {"broker_id": 2})
    say.state("controllers", THIRD, "update", {"controller_id": 3, "epoch": 5})
    left = [
        (topic, number, replicas, [each for each in replicas if each != 2])
        for topic, number, replicas in _PARTITIONS
        if 2 in replicas
    ]
    say.state(
        "partitions",
        THIRD,
        "update",
        *[
            _partition(topic, number, replicas, isr or [2], [*isr, -1][0])
            for topic, number, replicas, isr in left
        ],
    )
    say.events(
        THIRD,
        {
            "event": "broker-left",
            "subject": "broker 2",
            "from_value": "PLAINTEXT://b2:9092",
            "partitions_touched": 4,
        },
        {"event": "controller-moved", "subject": "controller", "from_value": "2", "to_value": "3"},
        {"event": "isr-shrank", "subject": "payments-0", "from_value": "1,2,3", "to_value": "1,3"},
        {
            "event": "leader-moved",
            "subject": "payments-1",
            "from_value": "2",
            "to_value": "3",
            "reason": "broker-left",
        },
    )
    lacking = {"check_id": "under-replicated-partition", "severity": "warning", "remedy": "Find out why."}
    say.findings(
        THIRD,
        {"evidence": {"leader": -1, "isr": [2], "replicas_without_broker": [2]}},
        *[{**lacking, "subject": f"payments-{n}", "evidence": {"missing": [2]}} for n in (0, 1)],
        {**lacking, "subject": "payments-2", "evidence": {"missing": [2]}, "not_seen_since": at(SECOND)},
        {"check_id": "leader-imbalance", "subject": "broker 1", "severity": "warning", "status": "resolved"},
    )
    lake = healthy
    lake.commit(THIRD, ("zookeeper", "/config/users", "unauthorized", "No read right"))
    say.results(
        THIRD,
        {"expectation": "topic is never null"},
        {
            "expectation": "topic_id is unique",
            "success": False,
            "observed": "2 duplicates, such as payments",
        },
        {"expectation": "broker_id is never null", "table_name": "brokers", "suite": "brokers"},
    )
    return lake


@pytest.fixture
def stopped_observer(lake: Any, say: Say) -> Any:
    """A KRaft quorum of one voter and two observers; node 2 fetches no more after the second snapshot."""
    say.state("quorum", FIRST, "keyframe", {"leader_id": 3000, "leader_epoch": 7})
    say.state("controllers", FIRST, "keyframe", {"controller_id": 3000, "epoch": 7})
    roles = {1: "observer", 2: "observer", 3000: "voter"}
    members = [{"node_id": node, "directory_id": f"dir{node}", "role": role} for node, role in roles.items()]
    say.state("quorum_members", FIRST, "keyframe", *members)
    rows: list[dict[str, Any]] = []
    for number, snapshot in enumerate(SNAPSHOTS):
        end = 1000 + 400 * number
        stamp = {"snapshot_id": snapshot, "captured_at": at(snapshot), "day": at(snapshot).date()}
        for node in roles:
            own_end = min(end, 1400) if node == 2 else end
            rows.append(
                {
                    "node_id": node,
                    "directory_id": f"dir{node}",
                    "high_watermark": end,
                    "log_end_offset": own_end,
                    "lag": end - own_end,
                    **stamp,
                }
            )
        lake.commit(snapshot, authority="kafka")
    lake.append("quorum_progress", rows)
    return lake
