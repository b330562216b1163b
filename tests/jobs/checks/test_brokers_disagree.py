from datetime import UTC, datetime
from typing import Any

from jobs.checks.brokers_disagree import CHECK

EARLY = datetime(2026, 11, 20, 13, 59, tzinfo=UTC)
LATE = datetime(2026, 11, 21, 13, 50, tzinfo=UTC)
MIN_ISR, UNCLEAN, REPLICAS, LAG = (
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "default.replication.factor",
    "replica.lag.time.max.ms",
)


def _setting(name: str, broker: int, value: str | None, **more: Any) -> dict[str, Any]:
    return {"broker_id": broker, "name": name, "value": value, **more}


def test_brokers_that_go_by_different_values_disagree(now: Any, past: Any, verdicts: Any) -> None:
    settings = now(
        "broker_settings",
        _setting(MIN_ISR, 1, "2"),
        _setting(MIN_ISR, 2, "1"),
        _setting(MIN_ISR, 3, "2", is_current=False),
        _setting(UNCLEAN, 1, "false"),
        _setting(UNCLEAN, 2, "false"),
        _setting(UNCLEAN, 3, None),
        _setting(REPLICAS, 1, "1"),
        _setting(REPLICAS, 2, "3"),
        _setting(LAG, 1, "30000"),
        _setting(LAG, 2, "10000", is_current=False),
    )
    earlier = past(
        "broker_settings",
        _setting(MIN_ISR, 1, "2", changed_at=EARLY),
        _setting(REPLICAS, 1, "1", changed_at=EARLY),
        _setting(REPLICAS, 2, "3", changed_at=LATE),
    )
    found = verdicts(CHECK, settings, earlier)
    assert {name: (row["severity"], row["is_known"]) for name, row in found.items()} == {
        MIN_ISR: ("warning", True),
        REPLICAS: ("info", True),
        LAG: ("info", False),
    }
    assert found[MIN_ISR]["evidence"] == {
        "brokers": ["1: 2", "2: 1", "3: 2"],
        "last_changed_at": "2026-11-20T13:59:00.000Z",
    }
