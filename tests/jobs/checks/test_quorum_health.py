from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.checks.quorum_health import CHECK

NOW = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
UP, DOWN, NEVER = 0.3, 10.5, None

Judge = Callable[..., dict[str, Any]]


@pytest.fixture
def frames(now: Any) -> Callable[..., tuple[Any, ...]]:
    """A quorum that 101 leads: voters and observers by the seconds since their last fetch, None where they never did."""

    def of(
        voters: dict[int, float | None],
        observers: dict[int, float | None] | None = None,
        lags: dict[int, float] | None = None,
        high_watermark: int = 5000,
    ) -> tuple[Any, ...]:
        everybody = voters | (observers or {})
        return (
            now("quorum", {"leader_id": 101, "leader_epoch": 3}),
            now(
                "quorum_members",
                *[_member(node, "voter" if node in voters else "observer") for node in everybody],
            ),
            now(
                "quorum_progress",
                *[
                    _progress(node, silence, (lags or {}).get(node, 0.0)) | {"high_watermark": high_watermark}
                    for node, silence in everybody.items()
                ],
            ),
            now("brokers", {"broker_id": 1}),
        )

    return of


def _member(node: int, role: str) -> dict[str, Any]:
    return {"node_id": node, "directory_id": f"d{node}", "role": role}


def _progress(node: int, silence: float | None, lag_s: float) -> dict[str, Any]:
    known = silence is not None
    return {
        "node_id": node,
        "directory_id": f"d{node}",
        "last_fetch_at": NOW - timedelta(seconds=silence or 0) if known else None,
        "last_caught_up_at": NOW - timedelta(seconds=(silence or 0) + lag_s) if known else None,
    }


@pytest.fixture
def told(verdicts: Any, frames: Any) -> Judge:
    """Severity and evidence, by subject."""

    def of(*arguments: Any, **named: Any) -> dict[str, Any]:
        found = verdicts(CHECK, *frames(*arguments, **named))
        return {subject: (row["severity"], row["evidence"]) for subject, row in found.items()}

    return of


def _evidence(voters: list[int], **more: Any) -> dict[str, Any]:
    return {
        "voters": voters,
        "lost": [],
        "lagging": [],
        "survives": 0,
        "waiting": [],
        "may_fail": True,
    } | more


def _lost(*nodes: int) -> list[dict[str, Any]]:
    return [{"node_id": node, "directory_id": f"d{node}"} for node in nodes]


def test_three_or_five_voters_that_all_fetch_are_fine(told: Judge) -> None:
    assert told({101: 0.0, 102: UP, 103: 9.9}, {1: DOWN}) == {}
    assert told({101: 0.0, 102: UP, 103: UP, 104: UP, 105: UP}) == {}


def test_a_lost_voter_is_a_warning_while_another_may_fail(told: Judge) -> None:
    assert told({101: 0.0, 102: UP, 103: UP, 104: UP, 105: DOWN}) == {
        "quorum": ("warning", _evidence([101, 102, 103, 104, 105], lost=_lost(105), survives=1))
    }


def test_when_the_next_failure_takes_the_majority_it_is_critical(told: Judge) -> None:
    of_three = _evidence([101, 102, 103], lost=_lost(103), may_fail=False)
    assert told({101: 0.0, 102: UP, 103: DOWN}) == {"quorum": ("critical", of_three)}
    of_five = _evidence([101, 102, 103, 104, 105], lost=_lost(104, 105), may_fail=False)
    assert told({101: 0.0, 102: UP, 103: UP, 104: DOWN, 105: NEVER}) == {"quorum": ("critical", of_five)}


def test_one_voter_is_told_quietly_and_two_are_a_warning(told: Judge) -> None:
    assert told({101: 0.0}) == {"quorum": ("info", _evidence([101], may_fail=False))}
    assert told({101: 0.0, 102: UP}) == {"quorum": ("warning", _evidence([101, 102]))}


def test_four_voters_survive_no_more_than_three(told: Judge) -> None:
    four = _evidence([101, 102, 103, 104], survives=1)
    assert told({101: 0.0, 102: UP, 103: UP, 104: UP}) == {"quorum": ("info", four)}


def test_a_voter_that_fetches_and_does_not_catch_up_lags(told: Judge) -> None:
    assert told({101: 0.0, 102: UP, 103: UP}, lags={103: 29.0}) == {}
    lagging = _evidence([101, 102, 103], lagging=[103], may_fail=False)
    assert told({101: 0.0, 102: UP, 103: UP}, lags={103: 31.0}) == {"quorum": ("warning", lagging)}


def test_only_a_controller_that_is_caught_up_waits_to_be_added(told: Judge) -> None:
    """1 is a broker, 103 is behind, 104 is gone."""
    found = told({101: 0.0}, {1: UP, 102: UP, 103: UP, 104: DOWN}, lags={103: 31.0})
    assert found == {"quorum": ("info", _evidence([101], waiting=[102], may_fail=False))}


def test_a_voter_that_no_majority_has_followed_yet_is_not_judged(judged: Any, frames: Any) -> None:
    """A new leader has seen nobody fetch: its high watermark is -1."""
    assert judged(CHECK, *frames({101: 0.0, 102: NEVER, 103: NEVER}, high_watermark=-1)) == {
        "quorum": "unknown"
    }


def test_before_kafka_3_3_nobody_tells_fetches_and_only_the_number_counts(told: Judge) -> None:
    assert told({101: None, 102: None, 103: None}) == {}
    assert told({101: None, 102: None}) == {"quorum": ("warning", _evidence([101, 102]))}


def test_while_the_quorum_is_not_seen_nothing_is_known_and_without_one_nothing_is_said(
    now: Any, judged: Any
) -> None:
    hidden = now("quorum_members", _member(101, "voter") | {"is_current": False})
    assert judged(CHECK, now("quorum", {"leader_id": 101}), hidden) == {"quorum": "unknown"}
    assert judged(CHECK, now("brokers", {"broker_id": 1})) == {}
