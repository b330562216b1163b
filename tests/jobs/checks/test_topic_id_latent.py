from datetime import UTC, datetime
from typing import Any

from jobs.checks.topic_id_latent import CHECK

OLD, OTHER = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"
BEFORE, AFTER = datetime(2026, 11, 21, 13, 0, tzinfo=UTC), datetime(2026, 11, 21, 14, 1, tzinfo=UTC)


def _replica(topic: str, topic_id: str | None, broker: int = 1, **more: Any) -> dict[str, Any]:
    found = {"broker_id": broker, "topic": topic, "partition": 0, "kind": "current", "topic_id": topic_id}
    return found | {"metadata_modified_at": BEFORE} | more


def test_an_id_on_disk_and_none_in_the_znode_is_latent(now: Any, judged: Any) -> None:
    topics = now(
        "topics",
        {"topic": "orders", "topic_id": None, "znode_version": 2, "data_version": 3, "modified_at": BEFORE},
        {"topic": "healthy", "topic_id": OLD, "modified_at": BEFORE},
        {
            "topic": "malformed",
            "topic_id": None,
            "modified_at": BEFORE,
            "problem": "the znode is not a JSON object",
        },
        {"topic": "replaced", "topic_id": OTHER, "modified_at": BEFORE},
        {"topic": "torn", "topic_id": None, "modified_at": BEFORE},
        {"topic": "going", "topic_id": None, "modified_at": BEFORE, "deletion_pending": True},
        {"topic": "ancient", "topic_id": None, "modified_at": BEFORE},
        {"topic": "stray", "topic_id": None, "modified_at": BEFORE},
    )
    replicas = now(
        "disk_replicas",
        _replica("orders", OLD, 1),
        _replica("orders", OLD, 2),
        _replica("orders", None, 3),
        _replica("healthy", OLD),
        _replica("malformed", OLD),
        _replica("replaced", OLD),
        _replica("torn", OLD, 1),
        _replica("torn", OTHER, 2),
        _replica("going", OLD),
        _replica("ancient", None),
        _replica("stray", OLD, kind="stray"),
    )
    assert judged(CHECK, topics, replicas) == {
        "orders": {
            "disk_topic_id": OLD,
            "replicas_with_it": 2,
            "znode_version": 2,
            "data_version": 3,
            "znode_modified_at": "2026-11-21T13:00:00.000Z",
        },
        "healthy": "fine",
        "malformed": "unknown",
        "replaced": "fine",
        "torn": "fine",
    }


def test_what_was_written_during_the_reads_or_not_seen_is_not_judged(now: Any, judged: Any) -> None:
    topics = now(
        "topics",
        {"topic": "just-written", "modified_at": AFTER},
        {"topic": "new-replica", "modified_at": BEFORE},
        {"topic": "unseen", "modified_at": BEFORE, "is_current": False},
        {"topic": "disk-unseen", "modified_at": BEFORE},
    )
    replicas = now(
        "disk_replicas",
        _replica("just-written", OLD),
        _replica("new-replica", OLD, metadata_modified_at=AFTER),
        _replica("unseen", OLD),
        _replica("disk-unseen", OLD, is_current=False),
    )
    verdicts = judged(CHECK, topics, replicas)
    assert verdicts == dict.fromkeys(("just-written", "new-replica", "unseen", "disk-unseen"), "unknown")
