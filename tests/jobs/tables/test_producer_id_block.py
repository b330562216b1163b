"""From `/latest_producer_id_block` to the one row."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.producer_id_block import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

BLOCK = "/latest_producer_id_block"


def test_the_block_of_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("producer_id_block", from_zookeeper(recorded)) == [(2, 0, 999, None)]


def test_before_the_first_block_there_is_no_row(znodes: Frame, rows_of: Rows) -> None:
    assert rows_of("producer_id_block", from_zookeeper(znodes({BLOCK: None}))) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("1000", "the znode is not a JSON object"),
        ('{"version":1,"broker":1,"block_start":"0"}', "the block lacks its broker, its start or its end"),
        (
            '{"version":1,"broker":1,"block_start":"x","block_end":"9"}',
            "the block lacks its broker, its start or its end",
        ),
    ],
)
def test_a_malformed_block_is_a_row_with_a_problem(
    data: str, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    assert rows_of("producer_id_block", from_zookeeper(znodes({BLOCK: data})), "problem") == [(problem,)]
