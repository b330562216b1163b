"""From the offsets of old consumers to a row a partition."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.legacy_offsets import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]


def test_every_partition_of_every_group_is_a_row(znodes: Frame, rows_of: Rows) -> None:
    tree = {
        "/consumers/g": None,
        "/consumers/g/offsets/orders": None,
        "/consumers/g/offsets/orders/0": "12345678901",
        "/consumers/g/offsets/orders/1": "-1",
        "/consumers/g/owners/orders/0": "7",
        "/consumers/g/ids/c": '{"version":1}',
    }
    assert rows_of("legacy_offsets", from_zookeeper(znodes(tree))) == [
        ("g", "orders", 0, 12345678901, None),
        ("g", "orders", 1, -1, None),
    ]


def test_a_new_cluster_has_none(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("legacy_offsets", from_zookeeper(recorded)) == []


def test_an_offset_that_is_no_number_is_a_problem_and_none_at_all_is_not(
    znodes: Frame, rows_of: Rows
) -> None:
    offsets = ["seven", "", "99999999999999999999", None]
    tree = {f"/consumers/g/offsets/t/{n}": data for n, data in enumerate(offsets)}
    rows = rows_of("legacy_offsets", from_zookeeper(znodes(tree)), "partition", "committed_offset", "problem")
    problem = "the offset is not a number"
    assert rows == [(0, None, problem), (1, None, problem), (2, None, problem), (3, None, None)]
