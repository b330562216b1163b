"""From `/migration` to the one row."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.migration import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

STATE = (
    '{"version":0,"kraft_controller_id":3000,"kraft_controller_epoch":4,'
    '"kraft_metadata_offset":5000000000,"kraft_metadata_epoch":3}'
)


def test_the_first_copy_is_done_once_the_offset_is_above_zero(znodes: Frame, rows_of: Rows) -> None:
    assert rows_of("migration", from_zookeeper(znodes({"/migration": STATE}))) == [
        (3000, 4, 5_000_000_000, 3, True, None)
    ]


@pytest.mark.parametrize("offset", [-1, 0])
def test_before_it_is_not(offset: int, znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/migration": STATE.replace("5000000000", str(offset))}))
    assert rows_of("migration", made, "metadata_offset", "is_copied") == [(offset, False)]


def test_a_cluster_that_does_not_migrate_has_no_row(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("migration", from_zookeeper(recorded)) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "the znode is not a JSON object"),
        ("garbage", "the znode is not a JSON object"),
        ('{"version":0,"kraft_controller_id":3000}', "the state lacks a field"),
    ],
)
def test_a_malformed_state_is_a_row_with_a_problem(
    data: str | None, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/migration": data}))
    assert rows_of("migration", made, "is_copied", "problem") == [(None, problem)]
