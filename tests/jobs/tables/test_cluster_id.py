"""From `/cluster/id` to the one row."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.cluster_id import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]


def test_the_id_of_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    made = from_zookeeper(recorded)
    assert rows_of("cluster_id", made) == [("m5Up35gUQx6dRuhXRJM9Lw", None)]


def test_without_the_znode_there_is_no_row(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/cluster": '{"id":"x"}'}))
    assert rows_of("cluster_id", made) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "the znode is not a JSON object"),
        ("m5Up35gUQx6dRuhXRJM9Lw", "the znode is not a JSON object"),
        ('{"version":"1"}', "/cluster/id names no id"),
    ],
)
def test_a_malformed_id_is_a_row_with_a_problem(
    data: str | None, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/cluster/id": data}))
    assert rows_of("cluster_id", made) == [(None, problem)]


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    made = from_kafka(frame("admin_cluster", {"cluster_id": "my-cluster", "controller_id": 3}))
    assert rows_of("cluster_id", made) == [("my-cluster", None)]
