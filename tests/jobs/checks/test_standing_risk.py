from typing import Any

from jobs.checks.standing_risk import CHECK

RACKS = [{"broker_id": number, "rack": rack} for number, rack in ((1, "a"), (2, "a"), (3, "b"))]


def _partition(topic: str, replicas: list[int], number: int = 0, **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": number, "replicas": replicas, "isr": replicas, "leader": 1} | more


def test_a_topic_with_one_replica_or_no_more_than_min_isr_or_in_one_rack_is_at_risk(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        _partition("alone", [1]),
        _partition("alone", [1, 3], 1),
        _partition("tight", [1, 3]),
        _partition("rack", [1, 2]),
        _partition("fine", [1, 3]),
        _partition("growing", [1, 3], adding=[3]),
    )
    configs = now(
        "configs", {"scope": "topic", "entity": "tight", "name": "min.insync.replicas", "value": "2"}
    )
    found = judged(CHECK, partitions, configs, now("brokers", *RACKS))
    assert found == {
        "alone": {
            "risks": ["one replica only"],
            "partitions": 1,
            "replication_factor": 1,
            "min_isr": 1,
        },
        "tight": {
            "risks": ["as many replicas as min.insync.replicas"],
            "partitions": 1,
            "replication_factor": 2,
            "min_isr": 2,
        },
        "rack": {
            "risks": ["all replicas in one rack"],
            "partitions": 1,
            "replication_factor": 2,
            "min_isr": 1,
        },
        "fine": "fine",
        "growing": {
            "risks": ["one replica only"],
            "partitions": 1,
            "replication_factor": 1,
            "min_isr": 1,
        },
    }


def test_internal_topics_deleted_ones_and_clusters_of_one_broker_or_rack_are_left_out(
    now: Any, judged: Any
) -> None:
    partitions = now("partitions", _partition("__consumer_offsets", [1]), _partition("going", [1]))
    topics = now("topics", {"topic": "going", "deletion_pending": True})
    assert judged(CHECK, partitions, topics, now("brokers", *RACKS)) == {}
    one_rack = now("partitions", _partition("rack", [1, 2]))
    assert judged(CHECK, one_rack, now("brokers", *RACKS[:2])) == {"rack": "fine"}
    assert judged(CHECK, now("partitions", _partition("alone", [1])), now("brokers", *RACKS[:1])) == {}


def test_a_broker_that_is_down_keeps_its_rack(now: Any, past: Any, judged: Any) -> None:
    partitions = now("partitions", _partition("a", [1, 3]))
    gone = past("brokers", RACKS[2] | {"op": "delete"})
    assert judged(CHECK, partitions, now("brokers", *RACKS[:2]), gone) == {"a": "fine"}


def test_what_was_not_seen_of_a_topic_is_unknown(now: Any, judged: Any) -> None:
    partitions = now(
        "partitions",
        _partition("hidden", [1], is_current=False),
        _partition("malformed", [1]) | {"replicas": None, "problem": "no partitions"},
    )
    assert judged(CHECK, partitions, now("brokers", *RACKS)) == {"hidden": "unknown", "malformed": "unknown"}
