"""Findings as they are read from a lake."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.incidents.finding import Finding


@pytest.fixture
def found() -> Callable[..., Finding]:
    """`found("offline-partition", "orders-0", minute=10)`: an open finding of that minute, without a cause."""

    def finding(check_id: str, subject: str, minute: int = 0, **columns: Any) -> Finding:
        cause_check_id, cause_subject = columns.pop("cause", (None, None))
        row = {
            "cluster": "orders",
            "severity": "warning",
            "check_id": check_id,
            "subject": subject,
            "status": "open",
            "life": "continuing",
            "first_seen_at": datetime(2026, 11, 21, 0, minute, 5, tzinfo=UTC),
            "not_seen_since": None,
            "evidence": "{}",
            "remedy": f"Remedy of {check_id}.",
            "cause_check_id": cause_check_id,
            "cause_subject": cause_subject,
            "became": None,
            "was_resolved_at": None,
            "worsened_at": None,
            "ignored": None,
        }
        return Finding(**row | columns)

    return finding
