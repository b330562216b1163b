from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def quota(**columns: Any) -> Row:
    return {"name": "request_percentage", "value": 0.0, **columns}


def test_a_quota_of_a_user_a_client_both_or_an_address_breaks_nothing(broken_by: Broken) -> None:
    rows = [quota(user="a"), quota(client_id="c"), quota(user="a", client_id="c"), quota(ip="127.0.0.1")]
    assert broken_by("quotas", *rows) == {}


def test_a_quota_is_for_somebody(broken_by: Broken) -> None:
    assert broken_by("quotas", quota(user="a"), quota()) == {
        "a quota is for a user, a client or an address": "1 row, such as request_percentage"
    }


def test_a_quota_of_an_address_is_for_nobody_else(broken_by: Broken) -> None:
    assert broken_by("quotas", quota(ip="::1"), quota(ip="::1", user="a")) == {
        "a quota of an address is for nobody else": "1 row, such as a, ::1, request_percentage"
    }


def test_a_quota_is_not_negative(broken_by: Broken) -> None:
    assert broken_by("quotas", quota(user="a"), quota(user="b", value=-1.0)) == {
        "value is not negative": "1 row, such as b, request_percentage"
    }
