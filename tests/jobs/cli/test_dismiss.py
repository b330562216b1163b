"""`varve dismiss`: what is not configured any more is gone when somebody says so, and nothing else is."""

from collections.abc import Callable
from typing import Any

import pytest

from jobs.landing.dismissed import dismissed

Varve = Callable[..., Any]
FIRST = "20261121T000000Z"
LEFT = ("log_dirs", "/3", "not-configured", "varve.yaml does not name it any more")
REFUSED = ("log_dirs", "/2", "unreachable", "broker 2 does not answer")


@pytest.fixture
def left(lake: Any) -> Any:
    """A snapshot of orders that knew of broker 3, which varve.yaml does not name, and did not reach broker 2."""
    lake.commit(FIRST, LEFT, REFUSED, sources=("zookeeper", "log_dirs"))
    return lake


def test_a_place_that_is_not_configured_any_more_is_taken_for_gone_by_the_next_snapshot(
    varve: Varve, left: Any
) -> None:
    ended = varve("dismiss", "orders", "/3")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "the next snapshot of orders takes what it knows of /3 (log_dirs) for gone\n"
    assert dismissed(left.storage, "orders", "log_dirs") == ["/3"]


def test_to_say_it_twice_is_to_say_it_once(varve: Varve, left: Any) -> None:
    assert [varve("dismiss", "orders", "/3").code for _ in range(2)] == [0, 0]
    assert dismissed(left.storage, "orders", "log_dirs") == ["/3"]


@pytest.mark.parametrize("scope", ["/2", "/30", "3", "/"])
def test_a_place_that_is_not_seen_for_another_reason_or_not_known_is_never_taken_for_gone(
    varve: Varve, left: Any, scope: str
) -> None:
    ended = varve("dismiss", "orders", scope)
    assert (ended.code, ended.out) == (2, "")
    assert f"{scope} is no place of orders" in ended.err
    assert "those that can be dismissed are /3" in ended.err
    assert dismissed(left.storage, "orders", "log_dirs") == []


def test_where_everything_is_configured_there_is_nothing_to_dismiss(varve: Varve, lake: Any) -> None:
    lake.commit(FIRST, REFUSED, sources=("zookeeper", "log_dirs"))
    ended = varve("dismiss", "orders", "/2")
    assert ended.code == 2
    assert "there is none to dismiss" in ended.err


def test_a_cluster_without_a_snapshot_and_one_that_varve_yaml_does_not_name_are_refused(
    varve: Varve, left: Any
) -> None:
    assert left.cluster == "orders"
    assert "has no snapshot of billing yet" in varve("dismiss", "billing", "/3").err
    assert varve("dismiss", "payments", "/3").code == 2
