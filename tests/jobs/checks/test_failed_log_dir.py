from typing import Any

from jobs.checks.failed_log_dir import CHECK

FAILED = {"broker_id": 2, "path": "/d1", "error": "KAFKA_STORAGE_ERROR"}


def test_a_failed_log_dir_is_found_and_one_that_works_is_not(now: Any, judged: Any) -> None:
    dirs = now(
        "admin_log_dirs",
        {"broker_id": 1, "path": "/d0", "error": None},
        {"broker_id": 2, "path": "/d0", "error": None},
        FAILED,
        FAILED | {"broker_id": 3, "is_current": False},
    )
    assert judged(CHECK, dirs) == {
        "broker 2": {
            "log_dirs": {"/d1": "KAFKA_STORAGE_ERROR"},
            "partitions_of_which_nobody_else_has_all": [],
        },
        "broker 3": "unknown",
    }


def test_it_is_critical_where_nobody_else_has_everything(now: Any, verdicts: Any) -> None:
    dirs = now("admin_log_dirs", FAILED, FAILED | {"broker_id": 3})
    partitions = now(
        "partitions",
        {"topic": "alone", "partition": 0, "leader": -1, "isr": [2]},
        {"topic": "kept", "partition": 0, "leader": 1, "isr": [1]},
        {"topic": "down", "partition": 0, "leader": -1, "isr": [4]},
    )
    told = verdicts(CHECK, dirs, partitions)
    assert {
        subject: (row["severity"], row["evidence"]["partitions_of_which_nobody_else_has_all"])
        for subject, row in told.items()
    } == {
        "broker 2": ("critical", ["alone-0"]),
        "broker 3": ("warning", []),
    }
