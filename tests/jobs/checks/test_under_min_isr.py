from typing import Any

from jobs.checks.under_min_isr import CHECK

KEY = "min.insync.replicas"


def _isr(topic: str, isr: list[int], leader: int = 1, **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": 0, "replicas": [1, 2, 3], "isr": isr, "leader": leader} | more


def _setting(broker_id: int, value: str) -> dict[str, Any]:
    return {"broker_id": broker_id, "name": KEY, "value": value}


def test_an_isr_smaller_than_min_isr_refuses_writes(now: Any, verdicts: Any) -> None:
    partitions = now("partitions", _isr("a", [1]), _isr("b", [1, 2]), _isr("c", [1], leader=-1))
    found = verdicts(
        CHECK, partitions, now("brokers", {"broker_id": 1}), now("broker_settings", _setting(1, "2"))
    )
    assert list(found) == ["a-0"]
    assert found["a-0"]["severity"] == "critical"
    assert found["a-0"]["evidence"] == {
        "leader": 1,
        "isr": [1],
        "replicas": [1, 2, 3],
        "missing": [2, 3],
        "min_isr": 2,
        "min_isr_is_assumed": False,
    }
    assert (found["a-0"]["cause_check_id"], found["a-0"]["cause_subject"]) == ("broker-down", "broker 2")


def test_the_topics_own_min_isr_comes_first_then_the_leaders_then_any_brokers(now: Any, judged: Any) -> None:
    partitions = now(
        "partitions", _isr("own", [1]), _isr("leaders", [1]), _isr("others", [3], leader=3), _isr("more", [1])
    )
    configs = now(
        "configs",
        {"scope": "topic", "entity": "own", "name": KEY, "value": "1"},
        {"scope": "topic", "entity": "more", "name": KEY, "value": "5"},
        {"scope": "broker", "entity": "<default>", "name": KEY, "value": "1"},
    )
    settings = now("broker_settings", _setting(1, "1"), _setting(2, "2"))
    found = judged(CHECK, partitions, configs, settings)
    assert {subject: evidence["min_isr"] for subject, evidence in found.items()} == {
        "others-0": 2,
        "more-0": 3,  # never above the number of replicas
    }


def test_without_the_brokers_settings_a_dynamic_default_counts_and_else_kafkas_own_is_assumed(
    now: Any, judged: Any
) -> None:
    partitions = now("partitions", _isr("a", [1]), _isr("b", []))
    dynamic = now("configs", {"scope": "broker", "entity": "<default>", "name": KEY, "value": "2"})
    assert set(judged(CHECK, partitions, dynamic)) == {"a-0", "b-0"}
    assumed = judged(CHECK, partitions)
    assert set(assumed) == {"b-0"}
    assert (assumed["b-0"]["min_isr"], assumed["b-0"]["min_isr_is_assumed"]) == (1, True)


def test_a_replica_that_is_only_being_added_does_not_raise_what_is_needed(now: Any, judged: Any) -> None:
    settings = now("broker_settings", _setting(1, "2"))
    adding = _isr("a", [1], replicas=[1, 2], adding=[2])
    assert judged(CHECK, now("partitions", adding), settings) == {}


def test_topics_that_are_being_deleted_are_left_out_and_what_was_not_seen_is_unknown(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        _isr("going", [1]),
        _isr("hidden", [1], is_current=False),
        _isr("bad", [1], problem="the state names no leader"),
    )
    topics = now("topics", {"topic": "going", "deletion_pending": True})
    found = judged(CHECK, partitions, topics, now("broker_settings", _setting(1, "2")))
    assert found == {"hidden-0": "unknown", "bad-0": "unknown"}


def test_replicas_whose_brokers_live_may_be_kept_out_by_their_topics_id(now: Any, verdicts: Any) -> None:
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2})
    settings = now("broker_settings", _setting(1, "2"))
    found = verdicts(CHECK, now("partitions", _isr("a", [1])), brokers, settings)["a-0"]
    assert (found["cause_check_id"], found["cause_subject"]) == ("topic-id-mismatch", "a")
