"""A broker that is taken out of varve.yaml is not looked at any more: what is known of it stays until it is dismissed."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.landing.dismissed import dismiss, dismissed
from jobs.process import process
from jobs.process.not_configured import left
from jobs.settings import Settings
from jobs.storage import open_storage

CLUSTER = "orders"
SECOND, THIRD, FOURTH = "20261121T141000Z", "20261121T142000Z", "20261121T143000Z"
REPLICAS = "SELECT broker_id, count(*) > 0, bool_and(is_current) FROM disk_replicas GROUP BY ALL ORDER BY 1"

Land = Callable[..., None]
Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.mark.usefixtures("healthy_first")
def test_what_is_not_configured_any_more_stays_as_it_was_until_it_is_dismissed(
    settings: Settings, spark: SparkSession, land: Land, ask: Ask
) -> None:
    storage = open_storage(settings.lake)
    land("healthy", SECOND, brokers=(1, 2))
    process(settings, CLUSTER, SECOND, spark, expect=False)
    assert ask(REPLICAS) == [(1, True, True), (2, True, True), (3, True, False)]
    assert ask("SELECT source, scope, reason, message FROM coverage_gaps") == [
        (
            "log_dirs",
            "/3",
            "not-configured",
            "varve.yaml does not name it any more: name it again, or, if it is gone for good, call `varve dismiss orders /3`",
        )
    ]
    dismiss(storage, CLUSTER, "log_dirs", "/3")
    land("healthy", THIRD, brokers=(1, 2))
    process(settings, CLUSTER, THIRD, spark, expect=False)
    assert ask(REPLICAS) == [(1, True, True), (2, True, True)]
    assert ask(f"SELECT count(*) FROM coverage_gaps WHERE snapshot_id = '{THIRD}'") == [(0,)]
    assert dismissed(storage, CLUSTER, "log_dirs") == []
    land("healthy", FOURTH)
    process(settings, CLUSTER, FOURTH, spark, expect=False)
    assert ask(REPLICAS) == [(1, True, True), (2, True, True), (3, True, True)]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("/3/var/kafka/d0/orders-0", "/3"),
        ("/1/var/kafka/d1/orders-0", "/1/var/kafka/d1"),
        ("/1/var/other/d1", "/1/var/other"),
        ("/10/var/kafka/d0", "/10"),
    ],
)
def test_a_place_is_left_as_high_up_as_nothing_below_it_is_looked_at(scope: str, expected: str) -> None:
    assert left(scope, ["/1/var/kafka/d0", "/2/var/kafka/d0"]) == expected
