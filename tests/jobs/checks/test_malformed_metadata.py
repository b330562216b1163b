from typing import Any

from jobs.checks.malformed_metadata import CHECK


def _replica(name: str, problem: str | None, broker: int, **more: Any) -> dict[str, Any]:
    return {
        "broker_id": broker,
        "path": "/d0",
        "dir_name": name,
        "kind": "current",
        "problem": problem,
        **more,
    }


def _log_dir(broker: int, problem: str | None, **more: Any) -> dict[str, Any]:
    return {"broker_id": broker, "path": "/d0", "problem": problem, **more}


def test_files_that_kafka_cannot_read_are_told_a_broker(now: Any, judged: Any) -> None:
    cut_off = "partition.metadata: it has fewer than two lines"
    replicas = now(
        "disk_replicas",
        _replica("orders-0", cut_off, 1),
        _replica("orders-0", None, 2),
        _replica("orders-0", cut_off, 3, is_current=False),
        _replica("lost+found", "directory name: 'lost+found' is not in the form of topic-partition", 4),
        _replica("lost+found", "directory name: 'lost+found' is not in the form of topic-partition", 101),
    )
    log_dirs = now(
        "log_dirs",
        _log_dir(1, "replication-offset-checkpoint: Malformed line: x; .kafka_cleanshutdown: no number"),
        _log_dir(2, ".kafka_cleanshutdown: no number"),
        _log_dir(5, "No `meta.properties` found in /d0"),
    )
    partitions = now("partitions", {"topic": "orders", "partition": 0, "replicas": [1, 2, 3, 4]})
    assert judged(CHECK, replicas, log_dirs, partitions) == {
        "broker 1": {
            "files": [
                "/d0/orders-0: partition.metadata: it has fewer than two lines",
                "/d0/replication-offset-checkpoint: Malformed line: x",
            ],
            "malformed": 2,
        },
        "broker 3": "unknown",
        "broker 4": {
            "files": ["/d0/lost+found: directory name: 'lost+found' is not in the form of topic-partition"],
            "malformed": 1,
        },
    }


def test_a_malformed_znode_is_told_of_its_topic_or_else_its_partition(now: Any, judged: Any) -> None:
    broken, whole = "the znode is not a JSON object", None
    topics = now(
        "topics",
        {"topic": "orders", "problem": broken},
        {"topic": "stock", "problem": whole},
        {"topic": "unseen", "problem": broken, "is_current": False},
    )
    partitions = now(
        "partitions",
        {"topic": "orders", "partition": 0, "problem": "the topic's znode names no partitions"},
        {"topic": "stock", "partition": 0, "problem": whole},
        {"topic": "stock", "partition": 1, "problem": broken},
    )
    assert judged(CHECK, topics, partitions) == {
        "orders": {"problem": broken},
        "stock-1": {"problem": broken},
        "unseen": "unknown",
    }
