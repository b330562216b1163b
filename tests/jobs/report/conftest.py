"""Two clusters with a past: one in ZooKeeper mode that loses a broker, one on KRaft with a ghost."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from jobs.lake.read import open_lake
from jobs.report.content import read_content
from jobs.report.report import render

SNAPSHOTS = [f"20261121T00{minute:02}00Z" for minute in (0, 10, 20, 30)]
FIRST, SECOND, THIRD, FOURTH = SNAPSHOTS
NOW = datetime(2026, 11, 21, 0, 35, 5, tzinfo=UTC)


def at(snapshot_id):
    return datetime.strptime(snapshot_id, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) + timedelta(seconds=5)


@pytest.fixture
def report_of():
    """The report of a written lake, as HTML."""

    def report(lake):
        return render(read_content(open_lake(lake.root, [lake.cluster])), NOW)

    return report


@pytest.fixture
def say(lake):
    """`say.finding(…)`, `say.event(…)`, `say.result(…)`: one row of what Varve makes of the metadata."""

    class Say:
        def finding(self, snapshot_id, op="create", evidence=None, **columns):
            row = {
                "check_id": "offline-partition",
                "subject": "orders-0",
                "severity": "critical",
                "status": "open",
                "first_seen_at": at(snapshot_id),
                "evidence": json.dumps(evidence or {}),
                "remedy": "Bring back a broker of the ISR.",
            }
            lake.change("findings", snapshot_id, op, FIRST, **row | columns)

        def event(self, snapshot_id, event, subject, before=None, after=None, **columns):
            row = {
                "event": event,
                "subject": subject,
                "from_value": before,
                "to_value": after,
                "partitions_touched": 1,
                "since_snapshot_id": FIRST,
                "since_at": at(snapshot_id) - timedelta(minutes=10),
                "captured_at": at(snapshot_id),
                "snapshot_id": snapshot_id,
            }
            lake.append("events", [row | columns])

        def result(self, snapshot_id, expectation, success=True, **columns):
            row = {
                "suite": "topics",
                "table_name": "topics",
                "severity": "critical",
                "expectation": expectation,
            }
            lake.append(
                "expectation_results", [row | {"success": success, "snapshot_id": snapshot_id} | columns]
            )

    return Say()


@pytest.fixture
def lost_broker(lake, say):
    """Broker 2 of three is killed before the third snapshot; orders-0 has no other replica."""
    partitions = {
        ("orders", 0): [2],
        ("orders", 1): [1],
        ("payments", 0): [1, 2, 3],
        ("payments", 1): [2, 3, 1],
        ("payments", 2): [3, 1, 2],
    }
    for topic, count in (("orders", 2), ("payments", 3)):
        lake.change(
            "topics", FIRST, "keyframe", FIRST, topic=topic, partitions=count, replication_factor=count
        )
    for (topic, number), replicas in partitions.items():
        state = {
            "replicas": replicas,
            "isr": replicas,
            "leader": replicas[0],
            "adding": [],
            "leader_epoch": 0,
        }
        lake.change("partitions", FIRST, "keyframe", FIRST, topic=topic, partition=number, **state)
    for broker in (1, 2, 3):
        lake.change(
            "brokers",
            FIRST,
            "keyframe",
            FIRST,
            broker_id=broker,
            endpoints=[f"PLAINTEXT://b{broker}:9092"],
            rack="a",
            registered_at=at(FIRST) - timedelta(hours=3),
        )
    lake.change("controllers", FIRST, "keyframe", FIRST, controller_id=2, epoch=4)
    lake.commit(FIRST)
    lake.commit(SECOND)
    lake.change("brokers", THIRD, "delete", FIRST, broker_id=2)
    lake.change("controllers", THIRD, "update", FIRST, controller_id=3, epoch=5)
    for (topic, number), replicas in partitions.items():
        if 2 in replicas:
            isr = [each for each in replicas if each != 2]
            state = {"replicas": replicas, "isr": isr or [2], "leader": [*isr, -1][0], "adding": []}
            lake.change("partitions", THIRD, "update", FIRST, topic=topic, partition=number, **state)
            say.event(THIRD, "isr-shrank", f"{topic}-{number}", "1,2,3", "1,3")
    say.event(THIRD, "broker-left", "broker 2", "PLAINTEXT://b2:9092", None, partitions_touched=4)
    say.event(THIRD, "controller-moved", "controller", "2", "3", partitions_touched=0)
    say.finding(THIRD, evidence={"leader": -1, "isr": [2], "replicas": [2], "replicas_without_broker": [2]})
    for number, leader, isr in ((0, 1, [1, 3]), (1, 3, [3, 1]), (2, 3, [3, 1])):
        say.finding(
            THIRD,
            check_id="under-replicated-partition",
            subject=f"payments-{number}",
            severity="warning",
            evidence={"leader": leader, "isr": isr, "replicas": [1, 2, 3], "missing": [2]},
            remedy="Find out why the missing replicas do not follow.",
        )
    say.finding(
        SECOND, check_id="leader-imbalance", subject="broker 1", severity="warning", status="resolved"
    )
    say.result(THIRD, "topic is never null")
    say.result(THIRD, "topic_id is unique", success=False, observed="2 duplicates, such as payments")
    say.result(THIRD, "broker_id is never null", table_name="brokers", suite="brokers")
    lake.commit(THIRD, ("zookeeper", "/config/users", "unauthorized", "No read right for /config/users"))
    return lake


@pytest.fixture
def ghost(lake):
    """A KRaft quorum of one voter and two observers, of which one stops fetching."""
    lake.change("quorum", FIRST, "keyframe", FIRST, leader_id=3000, leader_epoch=7)
    lake.change("controllers", FIRST, "keyframe", FIRST, controller_id=3000, epoch=7)
    for node in (1, 2, 3000):
        role = "voter" if node == 3000 else "observer"
        lake.change(
            "quorum_members", FIRST, "keyframe", FIRST, node_id=node, directory_id=f"dir{node}", role=role
        )
    for number, snapshot in enumerate(SNAPSHOTS):
        end = 1000 + 400 * number
        for node in (1, 2, 3000):
            own_end = min(end, 1400) if node == 2 else end
            progress = {
                "node_id": node,
                "directory_id": f"dir{node}",
                "high_watermark": end,
                "log_end_offset": own_end,
                "lag": end - own_end,
                "last_fetch_at": at(snapshot),
            }
            stamp = {"snapshot_id": snapshot, "captured_at": at(snapshot), "day": at(snapshot).date()}
            lake.append("quorum_progress", [progress | stamp])
        lake.commit(snapshot, authority="kafka")
    return lake
