from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def token(name: str, issued: int, expires: int, last: int | None) -> Row:
    days = {"issued_at": issued, "expires_at": expires, "max_at": last}
    return {"token": name} | {
        column: day and datetime(2026, 11, day, tzinfo=UTC) for column, day in days.items()
    }


def test_a_token_ends_between_its_beginning_and_its_last_day(broken_by: Broken) -> None:
    at_the_edges, endless = token("a", 1, 1, 1), token("b", 1, 2, None)
    assert broken_by("delegation_tokens", at_the_edges, endless) == {}
    assert broken_by("delegation_tokens", at_the_edges, token("c", 2, 1, 3), token("d", 1, 4, 3)) == {
        "expires_at is not before issued_at": "1 row, such as c",
        "expires_at is not after max_at": "1 row, such as d",
    }
