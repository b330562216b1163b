from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.checks.brokers_disagree import CHECK

EARLY = datetime(2026, 11, 20, 13, 59, tzinfo=UTC)
LATE = datetime(2026, 11, 21, 13, 50, tzinfo=UTC)
MIN_ISR, UNCLEAN, REPLICAS, LAG, MIGRATES = (
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "default.replication.factor",
    "replica.lag.time.max.ms",
    "zookeeper.metadata.migration.enable",
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
        _setting(MIGRATES, 1, "true"),
        _setting(MIGRATES, 2, "false"),
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


def _registered(broker: int, level: int, **more: Any) -> dict[str, Any]:
    features = [
        {"name": "kraft.version", "min_version": 0, "max_version": broker},
        {"name": "metadata.version", "min_version": 1, "max_version": level},
    ]
    return {
        "registered_id": broker,
        "broker_id": 101,
        "path": "/d0",
        "epoch": 7,
        "features": features,
        **more,
    }


def _in_zookeeper(broker: int, level: int | None, **more: Any) -> dict[str, Any]:
    features = None if level is None else _registered(broker, level)["features"]
    return {"broker_id": broker, "features": features, **more}


@pytest.mark.parametrize(
    ("levels", "changed_at", "severity"),
    [
        ((21, 14), EARLY, "warning"),
        ((21, 14), LATE, "info"),
        ((21, 21), EARLY, None),
        ((21, None), EARLY, None),
    ],
)
def test_brokers_of_different_versions_disagree_and_a_day_later_an_upgrade_was_forgotten(
    now: Any, past: Any, verdicts: Any, levels: Any, changed_at: datetime, severity: str | None
) -> None:
    brokers = now("brokers", *(_in_zookeeper(broker, level) for broker, level in enumerate(levels, 1)))
    found = verdicts(CHECK, brokers, past("brokers", {"broker_id": 1, "changed_at": changed_at}))
    assert {name: row["severity"] for name, row in found.items()} == (
        {"metadata.version": severity} if severity else {}
    )
    if severity:
        assert found["metadata.version"]["evidence"]["brokers"] == ["1: up to 21", "2: up to 14"]


def test_under_kraft_the_newest_registration_of_each_living_broker_counts(now: Any, verdicts: Any) -> None:
    brokers = now("brokers", *(_in_zookeeper(broker, None) for broker in (1, 2)))
    agreed = [
        _registered(1, 21),
        _registered(2, 14),
        _registered(2, 21, epoch=9, path="/d1"),
        _registered(3, 14),
    ]
    assert verdicts(CHECK, brokers, now("checkpoint_brokers", *agreed)) == {}
    differing = now("checkpoint_brokers", _registered(1, 21), _registered(2, 14))
    assert verdicts(CHECK, brokers, differing)["metadata.version"]["is_known"]
    unread = now("checkpoint_brokers", _registered(1, 21), _registered(2, 14, is_current=False))
    assert not verdicts(CHECK, brokers, unread)["metadata.version"]["is_known"]
