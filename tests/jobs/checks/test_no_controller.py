from typing import Any

import pytest

from jobs.checks.no_controller import CHECK

ZOOKEEPER = ({"broker_id": 1, "session": 11}, {"broker_id": 2, "session": 12})
KRAFT = ({"broker_id": 1}, {"broker_id": 2})
GONE = {"broker_id": 3, "op": "delete", "written_by": "20261121T141000Z"}


@pytest.fixture
def told(verdicts: Any, now: Any) -> Any:
    """Severity, state and the brokers that lead though gone; `?` where it is not known."""

    def of(brokers: tuple[Any, ...], *frames: Any) -> Any:
        found = verdicts(CHECK, now("brokers", *brokers), *frames)
        assert set(found) <= {"controller"}
        for row in found.values():
            if not row["is_known"]:
                return "?"
            return row["severity"], row["evidence"]["state"], row["evidence"]["leads_though_gone"]
        return "fine"

    return of


def _partition(leader: int, **more: Any) -> dict[str, Any]:
    return {"topic": "orders", "partition": 0, "leader": leader, "replicas": [3, 1]} | more


def test_a_controller_that_is_a_living_broker_or_a_node_of_the_quorum_is_fine(told: Any, now: Any) -> None:
    assert told(ZOOKEEPER, now("controllers", {"controller_id": 2, "epoch": 5})) == "fine"
    quorum = now("quorum", {"leader_id": 101, "leader_epoch": 5})
    assert told(KRAFT, quorum, now("controllers", {"controller_id": 101, "epoch": 5})) == "fine"


def test_without_a_controller_znode_it_is_a_warning_and_critical_when_seen_twice(
    told: Any, past: Any
) -> None:
    assert told(ZOOKEEPER) == ("warning", "none is elected", [])
    elected = {"controller_id": 2, "written_by": "20261121T140000Z"}
    lost = {"op": "delete", "written_by": "20261121T141000Z"}
    assert told(ZOOKEEPER, past("controllers", elected)) == ("warning", "none is elected", [])
    assert told(ZOOKEEPER, past("controllers", elected, lost)) == ("critical", "none is elected", [])


def test_over_the_admin_api_only_a_cluster_that_names_none_has_none(told: Any, now: Any) -> None:
    assert told(KRAFT) == "fine"
    assert told(KRAFT, now("admin_cluster", {"controller_id": 2})) == "fine"
    assert told(KRAFT, now("admin_cluster", {"controller_id": -1})) == ("warning", "none is elected", [])


def test_a_controller_that_was_gone_in_an_earlier_snapshot_is_no_living_broker(
    told: Any, now: Any, past: Any
) -> None:
    """At its first snapshot without it the two znodes may have been read on both sides of its end."""
    ruler = now("controllers", {"controller_id": 3, "epoch": 5, "kraft_epoch": -1})
    assert told(ZOOKEEPER, ruler, past("brokers", {"broker_id": 3})) == "fine"
    assert told(ZOOKEEPER, ruler, past("brokers", {"broker_id": 3}, GONE)) == (
        "critical",
        "no living broker",
        [],
    )
    migrating = now("controllers", {"controller_id": 3, "epoch": 5, "kraft_epoch": 7})
    assert told(ZOOKEEPER, migrating, past("brokers", {"broker_id": 3}, GONE)) == "fine"


def test_a_broker_that_leads_long_after_it_went_tells_that_the_controller_does_not_act(
    told: Any, now: Any, past: Any
) -> None:
    ruler = now("controllers", {"controller_id": 2, "epoch": 5})
    gone = past("brokers", {"broker_id": 3}, GONE)
    assert told(ZOOKEEPER, ruler, gone, now("partitions", _partition(3))) == ("critical", "does not act", [3])


def test_a_leader_that_went_just_now_is_back_or_is_not_seen_tells_nothing(
    told: Any, now: Any, past: Any
) -> None:
    ruler = now("controllers", {"controller_id": 2, "epoch": 5})
    gone = past("brokers", {"broker_id": 3}, GONE)
    assert (
        told(ZOOKEEPER, ruler, past("brokers", {"broker_id": 3}), now("partitions", _partition(3))) == "fine"
    )
    back = (*ZOOKEEPER, {"broker_id": 3, "session": 13})
    assert told(back, ruler, gone, now("partitions", _partition(3))) == "fine"
    assert told(ZOOKEEPER, ruler, gone, now("partitions", _partition(3, is_current=False))) == "fine"
    assert told(ZOOKEEPER, ruler, gone, now("partitions", _partition(-1))) == "fine"
    going = now("topics", {"topic": "orders", "deletion_pending": True})
    assert told(ZOOKEEPER, ruler, gone, going, now("partitions", _partition(3))) == "fine"


def test_a_quorum_that_does_not_answer_while_brokers_do_has_lost_its_leader(told: Any, now: Any) -> None:
    hidden = (
        now("quorum", {"leader_id": 101, "leader_epoch": 5, "is_current": False}),
        now("controllers", {"controller_id": 101, "epoch": 5, "is_current": False}),
    )
    assert told(KRAFT, *hidden) == ("critical", "quorum does not answer", [])
    assert told(tuple(row | {"is_current": False} for row in KRAFT), *hidden) == "?"


def test_a_quorum_that_names_no_leader_has_none(told: Any, now: Any) -> None:
    quorum = now("quorum", {"leader_id": -1, "leader_epoch": 5})
    ruler = now("controllers", {"controller_id": -1, "epoch": 5})
    assert told(KRAFT, quorum, ruler) == ("critical", "quorum has no leader", [])


def test_a_controller_znode_that_was_not_read_is_not_judged(told: Any, now: Any) -> None:
    assert told(ZOOKEEPER, now("controllers", {"controller_id": 2, "is_current": False})) == "?"


def test_where_no_broker_was_ever_seen_nothing_is_said(told: Any) -> None:
    assert told(()) == "fine"
