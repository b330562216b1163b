from datetime import UTC, datetime
from typing import Any

from jobs.checks.checkpoint_mismatch import CHECK

BEFORE = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)
JUST_NOW = datetime(2026, 11, 21, 13, 59, 30, tzinfo=UTC)
EPOCHS = [{"epoch": 0, "start_offset": 0}]


def _place(name: str, broker: int) -> dict[str, Any]:
    topic, _, partition = name.rpartition("-")
    place = {"broker_id": broker, "path": "/d0", "dir_name": name}
    return {**place, "topic": topic, "partition": int(partition)}


def _replica(name: str, broker: int, modified_at: datetime = BEFORE, **more: Any) -> dict[str, Any]:
    written = {"kind": "current", "leader_epochs": EPOCHS, "metadata_modified_at": modified_at}
    return {**_place(name, broker), **written, **more}


def test_lines_without_a_directory_and_replicas_without_a_line_are_told_a_broker(
    now: Any, past: Any, changes: Any, verdicts: Any
) -> None:
    replicas = [
        _replica("orders-0", 1),
        _replica("orders-0", 2),
        _replica("cut-0", 2, leader_epochs=None),
        _replica("empty-0", 1, leader_epochs=[]),
        _replica("young-0", 3, JUST_NOW),
        _replica("unread-0", 4),
        _replica("not-assigned-0", 5),
    ]
    offsets = [
        _place("orders-0", 1) | {"high_watermark": 7},
        _place("orders-0", 2),
        _place("cut-0", 2) | {"recovery_point": 9},
        _place("empty-0", 1) | {"recovery_point": 0},
        _place("young-0", 3),
        _place("not-assigned-0", 5),
        _place("deleted-0", 6) | {"high_watermark": 7},
        _place("cleaned-0", 1) | {"cleaner_offset": 7},
        _place("vanished-0", 1) | {"high_watermark": 7},
        _place("missing-0", 1) | {"high_watermark": 7},
    ]
    assigned = {
        "orders": [1, 2], "cut": [2, 3], "empty": [1], "young": [3], "unread": [4], "missing": [1],
    }  # fmt: skip
    found = verdicts(
        CHECK,
        now("disk_replicas", *replicas),
        now("disk_offsets", *offsets),
        now("partitions", *({"topic": t, "partition": 0, "replicas": on} for t, on in assigned.items())),
        now("topics", *({"topic": topic} for topic in assigned)),
        past("log_dirs", *({"broker_id": broker, "path": "/d0"} for broker in range(1, 6))),
        changes("disk_replicas", {"broker_id": 1, "path": "/d0", "dir_name": "vanished-0", "op": "delete"}),
        now("log_dirs", {"broker_id": 2, "path": "/d0", "problem": "replication-offset-checkpoint: x"}),
    )
    told = {
        subject: (row["severity"], {name: said for name, said in row["evidence"].items() if said})
        if row["is_known"]
        else "unknown"
        for subject, row in found.items()
    }
    assert told == {
        "broker 2": (
            "warning",
            {"without_high_watermark": ["/d0/orders-0"], "would_be_cut": ["/d0/cut-0"]},
        ),
        "broker 3": "unknown",
        "broker 4": "unknown",
        "broker 6": ("info", {"without_directory": ["/d0/deleted-0"]}),
    }
    assert (found["broker 2"]["cause_check_id"], found["broker 2"]["cause_subject"]) == (
        "malformed-metadata",
        "broker 2",
    )
    assert found["broker 6"]["cause_check_id"] is None


def test_the_lost_topic_id_explains_what_a_broker_writes_no_high_watermark_of(
    now: Any, past: Any, verdicts: Any
) -> None:
    """The demo's broker that restarts into a mismatch neither leads nor follows the topic's partitions."""

    def causes(*names: str) -> list[tuple[str | None, str | None]]:
        found = verdicts(
            CHECK,
            now("disk_replicas", *(_replica(name, 1, topic_id="of-the-disk") for name in names)),
            now("disk_offsets", *(_place(name, 1) for name in names)),
            now(
                "partitions",
                *({"topic": name.rpartition("-")[0], "partition": 0, "replicas": [1]} for name in names),
            ),
            now(
                "topics",
                {"topic": "orders", "topic_id": "minted"},
                {"topic": "audit", "topic_id": "of-the-disk"},
            ),
            past("log_dirs", {"broker_id": 1, "path": "/d0"}),
        )
        return [(row["cause_check_id"], row["cause_subject"]) for row in found.values()]

    assert causes("orders-0") == [("topic-id-mismatch", "orders")]
    assert causes("orders-0", "audit-0") == [(None, None)]
