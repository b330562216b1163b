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


def _assigned(
    replicas: list[int], isr: list[int], adding: list[int] | None = None, removing: list[int] | None = None
) -> dict[str, Any]:
    moving = {"adding": adding or [], "removing": removing or []}
    return _state(0, 1, isr) | {"replicas": replicas} | moving


def test_members_that_are_no_longer_assigned_did_not_fall_out_of_the_isr(changes: Any, told: Any) -> None:
    planned = _assigned([1, 3, 2], [1, 2], adding=[3], removing=[2])
    caught_up = _assigned([1, 3, 2], [1, 2, 3], adding=[3], removing=[2])
    done = _assigned([1, 3], [1, 3])
    name = "orders-0"
    assert told(partitions, changes("partitions", (_assigned([1, 2], [1, 2]), planned))) == {
        ("assignment-changed", name, "1,2", "1,3,2", 1),
        ("reassignment-started", name, "1,2", "1,3", 1),
    }
    assert told(partitions, changes("partitions", (planned, caught_up))) == {
        ("isr-grew", name, "1,2", "1,2,3", 1)
    }
    assert told(partitions, changes("partitions", (caught_up, done))) == {
        ("assignment-changed", name, "1,3,2", "1,3", 1),
        ("reassignment-finished", name, "1,3,2", "1,3", 1),
    }
    assert told(partitions, changes("partitions", (_assigned([1, 2], [1, 2]), done))) == {
        ("assignment-changed", name, "1,2", "1,3", 1)
    }


def test_a_member_that_fell_out_while_another_was_unassigned_is_told(changes: Any, told: Any) -> None:
    moved = (_assigned([1, 2, 3], [1, 2, 3]), _assigned([1, 2, 4], [1, 4]))
    assert told(partitions, changes("partitions", moved)) == {
        ("assignment-changed", "orders-0", "1,2,3", "1,2,4", 1),
        ("isr-shrank", "orders-0", "1,2,3", "1,4", 1),
    }


def test_another_order_of_the_same_replicas_is_another_assignment(changes: Any, told: Any) -> None:
    assert told(
        partitions, changes("partitions", (_assigned([1, 2], [1, 2]), _assigned([2, 1], [1, 2])))
    ) == {("assignment-changed", "orders-0", "1,2", "2,1", 1)}


def test_nothing_is_compared_across_the_lives_of_a_topic(changes: Any, told: Any) -> None:
    moved = changes("partitions", (_state(0, 1, [1, 2]), _state(0, 2, [2])))

    def events_when(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
        topic = changes("topics", ({"topic": "orders"} | before, {"topic": "orders"} | after))
        return {event for event, *_ in told(partitions, moved, topic)}

    told_of_one_life = {"leader-moved", "isr-shrank"}
    assert events_when({"czxid": 7, "topic_id": "A"}, {"czxid": 9, "topic_id": "B"}) == set()
    assert events_when({"topic_id": "A"}, {"topic_id": "B"}) == set()
    assert events_when({"czxid": 7, "topic_id": "A"}, {"czxid": 7, "topic_id": "B"}) == told_of_one_life
    assert events_when({"partitions": 1}, {"partitions": 2}) == told_of_one_life
