from typing import Any

from jobs.checks.stuck_directory import CHECK


def _directory(kind: str, broker: int, topic: str = "orders") -> dict[str, Any]:
    name = f"{topic}-0" if kind == "current" else f"{topic}-0.0123-{kind}"
    place = {"broker_id": broker, "path": "/d0", "dir_name": name, "kind": kind}
    return {**place, "topic": topic, "partition": 0}


def test_a_move_or_a_deletion_that_two_snapshots_saw_is_told(
    now: Any, past: Any, changes: Any, verdicts: Any
) -> None:
    replicas = now(
        "disk_replicas",
        _directory("future", 1),
        _directory("current", 1),
        _directory("delete", 1, "gone"),
        _directory("future", 2),
        _directory("delete", 3),
        _directory("delete", 4),
        _directory("stray", 1),
    )
    found = verdicts(
        CHECK,
        replicas,
        now("brokers", *({"broker_id": broker} for broker in (1, 2, 4))),
        past("log_dirs", *({"broker_id": broker, "path": "/d0"} for broker in (1, 2, 3, 4))),
        changes(
            "disk_replicas",
            {"broker_id": 4, "path": "/d0", "dir_name": "orders-0.0123-delete", "op": "create"},
        ),
    )
    assert {
        subject: (row["severity"], {name: said for name, said in row["evidence"].items() if said})
        if row["is_known"]
        else "unknown"
        for subject, row in found.items()
    } == {
        "broker 1": ("info", {"future": ["/d0/orders-0.0123-future"], "delete": ["/d0/gone-0.0123-delete"]}),
        "broker 2": (
            "warning",
            {"future": ["/d0/orders-0.0123-future"], "future_alone": ["/d0/orders-0.0123-future"]},
        ),
        "broker 4": "unknown",
    }
    causes = {subject: (row["cause_check_id"], row["cause_subject"]) for subject, row in found.items()}
    assert causes["broker 2"] == ("missing-replica-directory", "broker 2")
    assert causes["broker 1"] == (None, None)
