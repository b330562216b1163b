"""`varve rebuild`: what it refuses before it starts Spark."""

from collections.abc import Callable
from typing import Any

import pytest

Varve = Callable[..., Any]


def test_without_a_snapshot_there_is_no_past(varve: Varve) -> None:
    ended = varve("rebuild", "orders")
    assert ended.code == 2
    assert "has no snapshot of orders yet, so there is no past to rebuild: run varve snapshot" in ended.err


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("table", ["znodes", "events", "nothing"])
def test_a_table_that_is_not_made_from_raw_tables_cannot_be_rebuilt(varve: Varve, table: str) -> None:
    ended = varve("rebuild", "orders", "--table", table)
    assert ended.code == 2
    assert f"{table} is no table that is made from raw tables" in ended.err
    assert "brokers, " in ended.err


def test_while_another_process_writes_nothing_is_rebuilt(written: Any, varve: Varve) -> None:
    with written.storage.lock("_landing/orders/writer.lock"):
        ended = varve("rebuild", "orders")
    assert ended.code == 1
    assert "Another process is writing the lake of orders" in ended.err


def test_a_cluster_that_is_not_configured_is_named(varve: Varve) -> None:
    ended = varve("rebuild", "elsewhere")
    assert ended.code == 2
    assert "elsewhere" in ended.err
