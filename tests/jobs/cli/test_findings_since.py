"""`varve findings --since T`: what got worse since then. The alarm in Airflow asks for it after each snapshot."""

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

FIRST, SECOND, THIRD = "20261121T000000Z", "20261121T001000Z", "20261121T002000Z"
IN_BETWEEN = "2026-11-21T00:05"
"""After the first snapshot and before the second."""

Varve = Callable[..., Any]


@pytest.fixture
def find(lake: Any) -> Callable[..., None]:
    """Writes a finding as a snapshot left it."""

    def change(snapshot_id: str, op: str, check_id: str, severity: str, **columns: Any) -> None:
        finding = {"subject": "orders-0", "status": "open", "evidence": "{}", "remedy": f"Mend {check_id}."}
        finding |= {"first_seen_at": datetime(2026, 11, 21, tzinfo=UTC)}
        lake.change(
            "findings", snapshot_id, op, FIRST, check_id=check_id, severity=severity, **finding | columns
        )

    return change


def checks(varve: Varve, *words: str) -> list[str]:
    """The checks of the findings that are told."""
    answered = varve("findings", "--cluster", "orders", "--format", "csv", *words)
    return [row["check_id"] for row in csv.DictReader(io.StringIO(answered.out))]


def test_what_opened_got_worse_came_back_or_is_no_more_ignored_is_told_and_nothing_else(
    lake: Any, find: Callable[..., None], varve: Varve
) -> None:
    find(FIRST, "keyframe", "at-min-isr", "info")
    find(FIRST, "keyframe", "broker-down", "critical")
    find(FIRST, "keyframe", "ghost-observer", "warning")
    find(FIRST, "keyframe", "leader-imbalance", "warning", ignored="until 2026-11-21: known")
    find(FIRST, "keyframe", "offline-partition", "critical", status="resolved")
    find(FIRST, "keyframe", "quorum-health", "critical")
    find(FIRST, "keyframe", "stray-replica", "info")
    lake.commit(FIRST)
    find(SECOND, "update", "broker-down", "critical", evidence='{"seen": "by nobody"}')
    find(SECOND, "update", "ghost-observer", "critical")
    find(SECOND, "update", "leader-imbalance", "warning")
    find(SECOND, "update", "offline-partition", "critical")
    find(SECOND, "update", "quorum-health", "warning")
    find(SECOND, "update", "stray-replica", "info", status="resolved")
    find(SECOND, "create", "topic-id-latent", "warning")
    find(SECOND, "create", "under-min-isr", "critical", ignored="until 2026-12-01: known")
    lake.commit(SECOND)

    worse = ["ghost-observer", "offline-partition", "leader-imbalance", "topic-id-latent"]
    assert checks(varve, "--since", IN_BETWEEN) == worse
    assert checks(varve, "--since", FIRST) == worse
    assert checks(varve, "--since", SECOND) == []
    assert "under-min-isr" in checks(varve)


def test_it_is_told_once_and_not_for_as_long_as_it_stands(
    lake: Any, find: Callable[..., None], varve: Varve
) -> None:
    lake.commit(FIRST)
    find(SECOND, "create", "broker-down", "critical")
    lake.commit(SECOND)
    asked = ("findings", "--cluster", "orders", "--fail-on", "critical", "--since")
    assert varve(*asked, IN_BETWEEN).code == 3
    lake.commit(THIRD)
    after = varve(*asked, "2026-11-21T00:15")
    assert (after.code, after.out.splitlines()[0]) == (
        0,
        "nothing is wrong that was not wrong at 2026-11-21T00:15",
    )
    assert varve("findings", "--cluster", "orders", "--fail-on", "critical").code == 3, "it still stands"


def test_a_milder_one_than_is_asked_for_is_told_and_is_no_failure(
    lake: Any, find: Callable[..., None], varve: Varve
) -> None:
    lake.commit(FIRST)
    find(SECOND, "create", "leader-imbalance", "warning")
    lake.commit(SECOND)
    told = varve("findings", "--since", IN_BETWEEN, "--fail-on", "critical")
    assert (told.code, told.out.splitlines()[0]) == (0, "WARNING leader-imbalance (1 open)")


def test_before_the_first_snapshot_nobody_was_told_of_anything(
    lake: Any, find: Callable[..., None], varve: Varve
) -> None:
    find(FIRST, "keyframe", "broker-down", "critical")
    lake.commit(FIRST)
    assert checks(varve, "--since", "2026-11-20") == ["broker-down"]


def test_a_snapshot_that_was_captured_before_and_committed_after_is_not_missed(
    lake: Any, find: Callable[..., None], varve: Varve
) -> None:
    lake.commit(FIRST)
    find(SECOND, "create", "broker-down", "critical")
    lake.commit(SECOND, committed_at=datetime(2026, 11, 21, 0, 20, 1, tzinfo=UTC))
    lake.commit(THIRD)
    assert checks(varve, "--since", "2026-11-21T00:20") == ["broker-down"]


def test_an_incident_that_grows_is_told_whole(lake: Any, find: Callable[..., None], varve: Varve) -> None:
    find(FIRST, "keyframe", "broker-down", "critical", subject="broker 2")
    lake.commit(FIRST)
    cause = {"cause_check_id": "broker-down", "cause_subject": "broker 2"}
    find(SECOND, "create", "offline-partition", "critical", **cause)
    lake.commit(SECOND)
    told = varve("findings", "--since", IN_BETWEEN).out.splitlines()
    assert told[0] == "CRITICAL broker-down (1 open)"
    assert "  Explains: 1 offline-partition (orders-0)" in told
