from typing import Any

from jobs.checks.duplicate_replica import CHECK


def _replica(name: str, path: str, broker: int = 1, kind: str = "current", **more: Any) -> dict[str, Any]:
    topic, _, partition = name.rpartition("-")
    place = {"broker_id": broker, "path": path, "dir_name": name, "kind": kind}
    return {**place, "topic": topic, "partition": int(partition), **more}


def test_a_replica_in_two_log_dirs_of_one_broker_is_a_duplicate(
    now: Any, past: Any, changes: Any, judged: Any
) -> None:
    replicas = now(
        "disk_replicas",
        _replica("orders-0", "/d0", leader_epochs=[{"epoch": 4, "start_offset": 0}]),
        _replica("orders-0", "/d1", leader_epochs=[{"epoch": 7, "start_offset": 90}]),
        _replica("orders-0", "/d0", broker=2),
        _replica("moving-0", "/d0"),
        _replica("moving-0", "/d1", kind="future"),
        _replica("moved-0", "/d0"),
        _replica("moved-0", "/d1"),
        _replica("unseen-0", "/d0"),
        _replica("unseen-0", "/d1", is_current=False),
        _replica("new-0", "/d0", broker=3),
        _replica("new-0", "/d1", broker=3),
    )
    known = past(
        "log_dirs",
        *({"broker_id": broker, "path": path} for broker in (1, 2) for path in ("/d0", "/d1")),
    )
    just_created = changes(
        "disk_replicas", {"broker_id": 1, "path": "/d1", "dir_name": "moved-0", "op": "create"}
    )
    assert judged(CHECK, replicas, known, just_created) == {
        "orders-0 on broker 1": {
            "directories": ["/d0/orders-0", "/d1/orders-0"],
            "leader_epochs": [{"epoch": 4, "start_offset": 0}, {"epoch": 7, "start_offset": 90}],
        },
        "moved-0 on broker 1": "unknown",
        "unseen-0 on broker 1": "unknown",
        "new-0 on broker 3": "unknown",
    }
