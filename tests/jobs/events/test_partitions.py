from typing import Any

from jobs.events import partitions


def _state(
    number: int, leader: int | None, isr: list[int] | None, adding: list[int] | None = None
) -> dict[str, Any]:
    moving = {"adding": adding or [], "removing": []}
    return {
        "topic": "orders",
        "partition": number,
        "leader": leader,
        "isr": isr,
        "replicas": [1, 2],
        **moving,
    }


def test_leaders_isr_and_reassignments_are_told_apart(changes: Any, told: Any) -> None:
    changed = changes(
        "partitions",
        (_state(0, 1, [1, 2]), _state(0, 2, [2])),
        (_state(1, 1, [1]), _state(1, -1, [1])),
        (_state(2, -1, [1]), _state(2, 1, [1])),
        (_state(3, 1, [1]), _state(3, 1, [1, 2])),
        (_state(4, 1, [1, 2]), _state(4, 1, [2, 1])),  # only the order
        (_state(5, None, None), _state(5, 1, [1])),  # first election
        (_state(6, 1, [1, 2]), _state(6, 1, [1, 2], adding=[3])),
        (_state(7, 1, [1, 2], adding=[3]), _state(7, 1, [1, 2])),
        (None, _state(8, 1, [1, 2])),
        (_state(9, 1, [1, 2]), None),
    )
    assert told(partitions, changed) == {
        ("leader-moved", "orders-0", "1", "2", 1),
        ("isr-shrank", "orders-0", "1,2", "2", 1),
        ("partition-offline", "orders-1", "1", "-1", 1),
        ("partition-online", "orders-2", "-1", "1", 1),
        ("isr-grew", "orders-3", "1", "1,2", 1),
        ("reassignment-started", "orders-6", "1,2", "1,2", 1),
        ("reassignment-finished", "orders-7", "1,2", "1,2", 1),
    }


def test_an_exchanged_member_shrinks_the_isr_and_what_is_not_known_is_no_event(
    changes: Any, told: Any
) -> None:
    unknown = {"topic": "orders", "partition": 3}
    changed = changes(
        "partitions",
        (_state(0, 1, [1, 2]), _state(0, 1, [1, 3])),
        (_state(1, 1, [1]), _state(1, 1, [])),
        (_state(2, 1, [1]), _state(2, None, None)),
        (unknown, unknown),
        (unknown | {"adding": [4], "removing": []}, unknown),  # told by another source now
    )
    assert told(partitions, changed) == {
        ("isr-shrank", "orders-0", "1,2", "1,3", 1),
        ("isr-shrank", "orders-1", "1", "", 1),
    }
