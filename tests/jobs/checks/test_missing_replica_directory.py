from collections.abc import Callable
from typing import Any

import pytest

from jobs.checks.missing_replica_directory import CHECK


def _directory(topic: str, broker: int, kind: str = "current") -> dict[str, Any]:
    place = {"broker_id": broker, "path": "/d0", "dir_name": f"{topic}-0", "kind": kind}
    return {**place, "topic": topic, "partition": 0}


def _line(topic: str, broker: int, **offsets: int) -> dict[str, Any]:
    place = {"broker_id": broker, "path": "/d0", "dir_name": f"{topic}-0"}
    return {**place, "topic": topic, "partition": 0, **offsets}


def _partition(topic: str, replicas: list[int], isr: list[int], **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": 0, "replicas": replicas, "isr": isr, **more}


@pytest.fixture
def told(now: Any, verdicts: Any) -> Callable[..., Any]:
    """What is told when broker 1 is down and brokers 2 and 3 are alive."""

    def told_of(*frames: Any, **rows: list[dict[str, Any]]) -> Any:
        log_dirs = [{"broker_id": broker, "path": "/d0"} for broker in (1, 2, 3)]
        given = {"log_dirs": log_dirs, "brokers": [{"broker_id": 2}, {"broker_id": 3}]} | rows
        found = verdicts(CHECK, *(now(table, *of) for table, of in given.items()), *frames)
        return {
            subject: (row["severity"], row["evidence"]) if row["is_known"] else "unknown"
            for subject, row in found.items()
        }

    return told_of


def test_a_checkpoint_line_tells_that_a_stopped_broker_had_the_replica(told: Any) -> None:
    assert told(
        partitions=[_partition("orders", [1, 2], [1, 2]), _partition("alone", [1], [1])],
        disk_replicas=[_directory("stock", 1), _directory("orders", 2)],
        disk_offsets=[_line("orders", 1, high_watermark=7), _line("alone", 1, recovery_point=0)],
    ) == {
        "broker 1": (
            "critical",
            {
                "replicas": ["alone-0", "orders-0"],
                "missing": 2,
                "in_sync": ["alone-0", "orders-0"],
                "only_in_sync": ["alone-0"],
            },
        )
    }


def test_an_empty_log_dir_of_a_stopped_broker_lost_all_its_replicas(told: Any) -> None:
    partitions = [_partition("orders", [1, 2], [2]), _partition("stock", [2], [2])]
    found = told(partitions=partitions, disk_replicas=[_directory("orders", 2)])
    assert found["broker 1"] == (
        "warning",
        {"replicas": ["orders-0"], "missing": 1, "in_sync": None, "only_in_sync": None},
    )
    assert list(found) == ["broker 1"]


def test_what_is_moved_added_or_lies_where_varve_does_not_look_is_not_missing(told: Any) -> None:
    assert (
        told(
            partitions=[
                _partition("moving", [2], [2]),
                _partition("added", [2, 3], [2], adding=[3]),
                _partition("elsewhere", [3], [3]),
                _partition("not-configured", [4], [4]),
            ],
            disk_replicas=[
                _directory("moving", 2, "future"),
                _directory("added", 2),
                _directory("other", 3),
            ],
            disk_offsets=[_line("moving", 2, high_watermark=7), _line("added", 3, high_watermark=0)],
        )
        == {}
    )


def test_nothing_is_known_of_disks_that_were_not_seen_or_partitions_that_just_changed(
    told: Any, changes: Any
) -> None:
    rows = {
        "partitions": [_partition("orders", [1, 2], [1, 2])],
        "disk_replicas": [_directory("orders", 2)],
        "disk_offsets": [_line("orders", 1, high_watermark=7)],
    }
    partition = {"topic": "orders", "partition": 0}
    moved = {"before": {"replicas": [2]}, "after": {"replicas": [1, 2]}}
    assert told(changes("partitions", partition | moved), **rows) == {"broker 1": "unknown"}
    led = {"before": {"replicas": [1, 2], "leader": 1}, "after": {"replicas": [1, 2], "leader": 2}}
    assert told(changes("partitions", partition | led), **rows)["broker 1"][0] == "critical"
    unseen = [{"broker_id": 1, "path": "/d0", "is_current": False}, {"broker_id": 2, "path": "/d0"}]
    assert told(**rows, log_dirs=unseen) == {"broker 1": "unknown"}


def test_a_directory_that_just_went_on_a_living_broker_may_be_renamed_right_now(
    told: Any, changes: Any
) -> None:
    rows = {
        "partitions": [_partition("orders", [2, 3], [2, 3])],
        "disk_replicas": [_directory("orders", 3), _directory("other", 2)],
        "disk_offsets": [_line("orders", 2, high_watermark=7)],
    }
    gone = {"broker_id": 2, "path": "/d0", "dir_name": "orders-0", "op": "delete"}
    before = {"topic": "orders", "partition": 0, "kind": "current"}
    assert told(changes("disk_replicas", gone | {"before": before}), **rows) == {"broker 2": "unknown"}
    assert told(**rows)["broker 2"][0] == "warning"


def test_the_target_of_a_move_is_no_replacement_on_a_stopped_broker(told: Any) -> None:
    rows = {
        "partitions": [_partition("orders", [1, 2], [1])],
        "disk_offsets": [_line("orders", 1, high_watermark=7)],
    }
    moving = [_directory("orders", 1, "future"), _directory("orders", 2)]
    assert told(**rows, disk_replicas=moving)["broker 1"][1]["only_in_sync"] == ["orders-0"]
    alive = [{"broker_id": broker} for broker in (1, 2)]
    assert told(**rows, disk_replicas=moving, brokers=alive) == {}
    assert told(**rows, disk_replicas=[*moving, _directory("orders", 1)]) == {}
