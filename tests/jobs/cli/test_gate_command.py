"""`varve gate`: exit 3 with the reasons where it is not safe."""

import json
from collections.abc import Callable
from typing import Any

from jobs.lake.snapshot_id import logical_time

SNAPSHOT = "20261121T000000Z"

Varve = Callable[..., Any]


def test_a_closed_gate_exits_3_with_its_reasons(lake: Any, varve: Varve) -> None:
    lake.commit(SNAPSHOT)
    told = varve("gate", "roll", "--cluster", "orders", "--max-age", "99999d")
    assert (told.code, told.out.splitlines()) == (
        3,
        [
            "roll of orders: not safe now",
            "  nobody is in control: 0 controllers",
            "  0 brokers are registered",
        ],
    )
    (reason, *_) = json.loads(
        varve("gate", "roll", "--cluster", "orders", "--max-age", "1s", "--format", "json").out
    )
    assert reason["cluster"] == "orders"
    assert reason["reason"].startswith(f"the newest snapshot, {SNAPSHOT}, is too old: zookeeper was read")


def test_an_open_gate_exits_0(lake: Any, varve: Varve) -> None:
    at = logical_time(SNAPSHOT)
    partition = {"topic": "orders", "partition": 0, "replicas": [1, 2], "leader": 1, "isr": [1, 2]}
    lake.change("partitions", SNAPSHOT, "keyframe", SNAPSHOT, **partition)
    lake.change("controllers", SNAPSHOT, "keyframe", SNAPSHOT, controller_id=2)
    for broker_id in (1, 2):
        lake.change("brokers", SNAPSHOT, "keyframe", SNAPSHOT, broker_id=broker_id)
    lake.commit(SNAPSHOT, at=at)
    told = varve("gate", "roll", "--broker", "1", "--cluster", "orders", "--max-age", "99999d")
    assert (told.code, told.out) == (0, "roll of orders: safe now\n")


def test_a_cluster_without_a_snapshot_closes_the_gate(lake: Any, varve: Varve) -> None:
    lake.commit(SNAPSHOT)
    told = varve("gate", "roll", "--cluster", "billing")
    assert told.code == 3
    assert "has no snapshot of billing yet" in told.out


def test_what_is_no_gate_no_age_and_no_broker_of_it_is_refused(varve: Varve) -> None:
    gate, age = varve("gate", "open"), varve("gate", "roll", "--max-age", "soon")
    broker = varve("gate", "controller-move", "--broker", "1")
    assert (gate.code, age.code, broker.code) == (2, 2, 2)
    assert "There is no gate 'open'; there are controller-move, migrate, roll" in gate.err
    assert "'soon' is no length of time; write 90s, 30m, 2h or 1d" in age.err
    assert "The gate controller-move takes no --broker" in broker.err
