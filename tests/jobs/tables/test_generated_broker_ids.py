"""From the dataVersion of `/brokers/seqid` to the one row."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.generated_broker_ids import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]


def test_each_write_of_the_empty_znode_is_a_generated_id(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/brokers/seqid": {"data": None, "version": 4}, "/brokers/ids": None}))
    assert rows_of("generated_broker_ids", made) == [(4, None)]


def test_a_real_cluster_that_generates_none_has_given_out_none(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("generated_broker_ids", from_zookeeper(recorded)) == [(0, None)]
