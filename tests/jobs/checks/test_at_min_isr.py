from typing import Any

from jobs.checks.at_min_isr import CHECK


def _isr(topic: str, isr: list[int], replicas: list[int], **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": 0, "replicas": replicas, "isr": isr, "leader": 1} | more


def test_it_is_at_min_isr_when_replicas_are_missing_and_no_more_may_follow(now: Any, verdicts: Any) -> None:
    partitions = now(
        "partitions",
        _isr("at", [1, 2], [1, 2, 3]),
        _isr("above", [1, 2, 3], [1, 2, 3, 4]),
        _isr("under", [1], [1, 2, 3]),
        _isr("full", [1, 2], [1, 2]),
        _isr("offline", [3, 4], [3, 4, 5], leader=-1),
        _isr("going", [1, 2], [1, 2, 3]),
        _isr("hidden", [1, 2], [1, 2, 3], is_current=False),
    )
    topics = now("topics", {"topic": "going", "deletion_pending": True})
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2})
    settings = now("broker_settings", {"broker_id": 1, "name": "min.insync.replicas", "value": "2"})
    found = verdicts(CHECK, partitions, topics, brokers, settings)
    assert {subject: row["is_known"] for subject, row in found.items()} == {"at-0": True, "hidden-0": False}
    assert found["at-0"]["evidence"] == {
        "leader": 1,
        "isr": [1, 2],
        "replicas": [1, 2, 3],
        "missing": [3],
        "min_isr": 2,
        "min_isr_is_assumed": False,
    }
    assert (found["at-0"]["cause_check_id"], found["at-0"]["cause_subject"]) == ("broker-down", "broker 3")


def test_a_replica_that_lives_and_does_not_follow_is_its_own_cause(now: Any, verdicts: Any) -> None:
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2})
    found = verdicts(CHECK, now("partitions", _isr("at", [1], [1, 2])), brokers)["at-0"]
    assert (found["cause_check_id"], found["cause_subject"]) == ("under-replicated-partition", "at-0")
