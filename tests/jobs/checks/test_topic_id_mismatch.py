from datetime import UTC, datetime
from typing import Any

from jobs.checks.topic_id_mismatch import CHECK

OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"
BEFORE = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)


def _replica(topic: str, topic_id: str | None, broker: int, partition: int = 0) -> dict[str, Any]:
    names = ("topic", "topic_id", "broker_id", "partition", "kind", "metadata_modified_at")
    return dict(zip(names, (topic, topic_id, broker, partition, "current", BEFORE), strict=True))


def test_disks_and_cluster_that_differ_or_disks_among_themselves_are_a_mismatch(
    now: Any, judged: Any
) -> None:
    topics = now(
        "topics",
        {"topic": "orders", "topic_id": NEW, "data_version": 4, "modified_at": BEFORE},
        {"topic": "mixed", "topic_id": NEW, "modified_at": BEFORE},
        {"topic": "torn", "topic_id": None, "modified_at": BEFORE},
        {"topic": "healthy", "topic_id": OLD, "modified_at": BEFORE},
        {"topic": "latent", "topic_id": None, "modified_at": BEFORE},
        {"topic": "fresh", "topic_id": NEW, "modified_at": BEFORE},
        {"topic": "unseen", "topic_id": NEW, "modified_at": BEFORE, "is_current": False},
        {"topic": "malformed", "modified_at": BEFORE, "problem": "the znode is not a JSON object"},
        {"topic": "no-metadata", "topic_id": NEW, "modified_at": BEFORE},
        {"topic": "no-old-metadata", "topic_id": NEW, "modified_at": BEFORE},
    )
    replicas = now(
        "disk_replicas",
        _replica("orders", OLD, 1),
        _replica("orders", OLD, 2, partition=1),
        _replica("mixed", OLD, 1),
        _replica("mixed", NEW, 2),
        _replica("torn", OLD, 1),
        _replica("torn", NEW, 2),
        _replica("healthy", OLD, 1),
        _replica("latent", OLD, 1),
        _replica("fresh", None, 1),
        _replica("unseen", OLD, 1),
        _replica("malformed", OLD, 1),
        _replica("no-metadata", None, 1) | {"problem": "partition.metadata: no topic_id"},
        _replica("no-old-metadata", None, 1) | {"problem": "partition.metadata: no topic_id"},
        _replica("no-old-metadata", NEW, 2),
    )
    verdicts = judged(CHECK, topics, replicas)
    assert verdicts["orders"] == {
        "cluster_topic_id": NEW,
        "disk_topic_ids": [OLD],
        "replicas": ["partition 0 on broker 1", "partition 1 on broker 2"],
        "data_version": 4,
    }
    assert verdicts["mixed"]["replicas"] == ["partition 0 on broker 1"]
    assert verdicts["torn"]["disk_topic_ids"] == [NEW, OLD]
    others = ("healthy", "latent", "fresh", "unseen", "malformed", "no-metadata", "no-old-metadata")
    assert {name: verdicts.get(name) for name in others} == {
        "healthy": "fine",
        "latent": "fine",
        "fresh": None,
        "unseen": "unknown",
        "malformed": "unknown",
        "no-metadata": "unknown",
        "no-old-metadata": "unknown",
    }
