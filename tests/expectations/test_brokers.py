from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]
ONE = {"broker_id": 1, "endpoints": ["PLAINTEXT://a:9092", "SSL://a:9093"]}
TWO = {"broker_id": 2, "endpoints": ["PLAINTEXT://b:9092"], "fenced": False}


def test_healthy_brokers_break_nothing(broken_by: Broken) -> None:
    unknown = {"broker_id": 3, "endpoints": None, "problem": "not JSON"}
    assert broken_by("brokers", ONE, TWO, unknown) == {}


def test_two_brokers_at_one_address_are_seen(broken_by: Broken) -> None:
    rows = ONE, TWO, {"broker_id": 3, "endpoints": ["PLAINTEXT://b:9092"]}
    assert broken_by("brokers", *rows) == {"no two brokers share an endpoint": "1 shared endpoint"}


def test_a_fenced_broker_may_have_been_replaced_at_its_address(broken_by: Broken) -> None:
    assert broken_by("brokers", ONE, TWO, {**TWO, "broker_id": 3, "fenced": True}) == {}


def test_a_broker_has_a_number_and_an_endpoint(broken_by: Broken) -> None:
    rows = ONE, {"broker_id": -1, "endpoints": ["PLAINTEXT://c:9092"]}, {"broker_id": 4, "endpoints": []}
    assert broken_by("brokers", *rows) == {
        "broker_id is not negative": "1 row, such as -1",
        "endpoints are not empty": "1 row, such as 4",
    }
