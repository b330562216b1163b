from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def partition(number: int, replicas: list[int], leader: int | None, isr: list[int] | None) -> Row:
    return {"topic": "orders", "partition": number, "replicas": replicas, "leader": leader, "isr": isr}


HEALTHY = partition(0, [1, 2, 3], 1, [1, 2, 3])


def test_an_offline_and_a_not_yet_elected_partition_break_nothing(broken_by: Broken) -> None:
    offline, unelected = partition(1, [1], -1, [1]), partition(2, [2, 3], None, None)
    assert broken_by("partitions", HEALTHY, offline, unelected) == {}


def test_a_leader_is_in_sync(broken_by: Broken) -> None:
    assert broken_by("partitions", HEALTHY, partition(1, [1, 2, 3], 2, [1, 3])) == {
        "leader is none or in isr": "1 row, such as orders, 1"
    }


def test_the_in_sync_replicas_are_replicas(broken_by: Broken) -> None:
    shrunk = partition(2, [1, 2, 3], 1, [1])
    assert broken_by("partitions", HEALTHY, partition(1, [1, 2], 1, [1, 4]), shrunk) == {
        "isr is a subset of replicas": "1 row, such as orders, 1"
    }


def test_a_partition_is_assigned_somewhere(broken_by: Broken) -> None:
    assert broken_by("partitions", HEALTHY, partition(1, [], -1, []), partition(2, [1], 1, [1])) == {
        "replicas are not empty": "1 row, such as orders, 1"
    }


def test_a_partition_is_assigned_to_a_broker_once(broken_by: Broken) -> None:
    assert broken_by("partitions", HEALTHY, partition(1, [2, 1, 2], 1, [1]), partition(2, [2], 2, [2])) == {
        "replicas have no duplicates": "1 row, such as orders, 1"
    }


def test_partitions_count_from_zero(broken_by: Broken) -> None:
    assert broken_by("partitions", HEALTHY, partition(-1, [1], 1, [1])) == {
        "partition is not negative": "1 row, such as orders, -1"
    }
