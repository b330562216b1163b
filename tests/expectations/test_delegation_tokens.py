from datetime import UTC, datetime


def token(name, issued, expires, last):
    days = {"issued_at": issued, "expires_at": expires, "max_at": last}
    return {"token": name} | {
        column: day and datetime(2026, 11, day, tzinfo=UTC) for column, day in days.items()
    }


def test_a_token_ends_between_its_beginning_and_its_last_day(broken_by):
    at_the_edges, endless = token("a", 1, 1, 1), token("b", 1, 2, None)
    assert broken_by("delegation_tokens", at_the_edges, endless) == {}
    assert broken_by("delegation_tokens", at_the_edges, token("c", 2, 1, 3), token("d", 1, 4, 3)) == {
        "expires_at is not before issued_at": "1 row, such as c",
        "expires_at is not after max_at": "1 row, such as d",
    }
