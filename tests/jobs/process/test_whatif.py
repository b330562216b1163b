"""What each broker's absence would do is kept with every snapshot that changed it."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings
from jobs.whatif.election import PER_BROKER
from schemas.whatif import WHATIF

CLUSTER = "orders"
FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
KEPT = "SELECT broker_id, partitions_offline, partitions_at_min_isr, leaders_moved, snapshot_id FROM whatif ORDER BY 1"


def test_the_table_has_what_is_counted() -> None:
    assert WHATIF.column_names == ("broker_id", *(name for name, _ in PER_BROKER))


@pytest.mark.usefixtures("healthy_first")
def test_a_broker_that_leaves_changes_what_the_others_are_worth(
    settings: Settings, spark: SparkSession, land: Callable[..., None], ask: Any
) -> None:
    assert ask(KEPT) == [(1, 1, 0, 2, FIRST), (2, 1, 0, 2, FIRST), (3, 0, 0, 2, FIRST)]
    land("broker_killed", SECOND)
    process(settings, CLUSTER, SECOND, spark, expect=False)
    assert ask(KEPT) == [(1, 1, 6, 2, SECOND), (3, 0, 6, 2, SECOND)]
