from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def moving(partition: int, replicas: list[int], adding: list[int], removing: list[int]) -> Row:
    return {
        "topic": "orders",
        "partition": partition,
        "replicas": replicas,
        "adding": adding,
        "removing": removing,
    }


HEALTHY = moving(0, [4, 1, 2], [4], [2])


def test_replicas_that_come_and_go_are_replicas(broken_by: Broken) -> None:
    rows = [HEALTHY, moving(1, [1], [2], []), moving(2, [1], [], [2])]
    assert broken_by("reassignments", *rows) == {
        "adding is a subset of replicas": "1 row, such as orders, 1",
        "removing is a subset of replicas": "1 row, such as orders, 2",
    }


def test_some_replica_stays(broken_by: Broken) -> None:
    assert broken_by("reassignments", HEALTHY, moving(1, [1, 2], [], [2, 1])) == {
        "some replica stays": "1 row, such as orders, 1"
    }
