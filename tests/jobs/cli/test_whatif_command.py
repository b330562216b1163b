"""`varve whatif`: what happens without some brokers, and in which order they can be restarted."""

import json
from collections.abc import Callable
from typing import Any

import pytest

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"

Varve = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("healthy")


@pytest.fixture
def healthy(lake: Any) -> None:
    """Three brokers; in the second snapshot broker 1 is gone."""
    partition = {"topic": "orders", "partition": 0, "replicas": [3, 1, 2]}
    for broker_id in (1, 2, 3):
        of_broker = {"broker_id": broker_id, "rack": "b" if broker_id == 3 else "a"}
        lake.change("brokers", FIRST, "keyframe", FIRST, **of_broker)
    lake.change("partitions", FIRST, "keyframe", FIRST, **partition, leader=3, isr=[3, 1, 2])
    lake.change("controllers", FIRST, "keyframe", FIRST, controller_id=2)
    lake.commit(FIRST)
    lake.change("brokers", SECOND, "delete", FIRST, broker_id=1, rack="a")
    lake.change("partitions", SECOND, "update", FIRST, **partition, leader=3, isr=[3, 2])
    lake.commit(SECOND)


def test_the_sums_come_first_then_the_partitions_then_the_order(varve: Varve) -> None:
    told = varve("whatif", "--broker", "3", "--cluster", "orders")
    assert told.code == 0, told.err
    lines = [line.rstrip() for line in told.out.splitlines()]
    assert lines[:4] == [
        "orders without broker 3:",
        "  are left at min ISR, so that the next loss refuses acks=all: 1 partition",
        "  leaders that move: 1 to broker 2",
        "  note: min.insync.replicas of orders is assumed to be 1, Kafka's default: no config of the topic or of a broker says it",
    ]
    assert "orders   0           at-min-isr   3        2" in told.out
    assert "restart order of orders" in told.out
    assert lines[-1].endswith("snapshot 20261121T001000Z of orders")


def test_as_of_an_earlier_snapshot_the_broker_that_is_gone_now_is_elected(varve: Varve) -> None:
    words = ("whatif", "--broker", "3", "--cluster", "orders", "--format", "json")
    (now,), (then,) = (json.loads(varve(*words, *at).out) for at in ((), ("--at", FIRST)))
    assert (now["leader_after"], now["isr_after"]) == (2, [2])
    assert then == {
        "cluster": "orders",
        "topic": "orders",
        "partition": 0,
        "outcome": "leader-moves",
        "leader": 3,
        "leader_after": 1,
        "election": "clean",
        "replicas": [3, 1, 2],
        "isr": [3, 1, 2],
        "isr_after": [1, 2],
        "min_isr": 1,
        "is_min_isr_assumed": True,
    }


def test_a_rack_goes_as_a_whole_and_brokers_go_with_it(varve: Varve) -> None:
    words = ("whatif", "--cluster", "orders", "--at", FIRST, "--format", "json")
    (rack,) = json.loads(varve(*words, "--rack", "a").out)
    (both,) = json.loads(varve(*words, "--rack", "b", "--broker", "1").out)
    assert (rack["leader_after"], rack["isr_after"]) == (3, [3])
    assert (both["leader_after"], both["isr_after"]) == (2, [2])


def test_without_a_broker_it_is_the_restart_order(varve: Varve) -> None:
    places = json.loads(varve("whatif", "--cluster", "orders", "--at", FIRST, "--format", "json").out)
    assert [(place["position"], place["broker_id"], place["why_not"]) for place in places] == [
        (1, 1, None),
        (2, 3, None),
        (3, 2, None),
    ]


def test_a_broker_or_rack_that_no_cluster_has_is_refused(varve: Varve) -> None:
    broker, rack = varve("whatif", "--broker", "9"), varve("whatif", "--rack", "z")
    assert (broker.code, rack.code) == (2, 2)
    assert "There is no broker 9 in orders" in broker.err
    assert "No broker of orders is in the rack z" in rack.err
