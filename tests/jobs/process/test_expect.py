"""Expectations come after the commit, once, also where the process was killed in between."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from expectations import validate
from jobs.lake.layout import expectations_due_path
from jobs.process import pipeline, process
from jobs.settings import Settings

CLUSTER = "orders"
SECOND, THIRD, FOURTH = "20261121T141000Z", "20261121T142000Z", "20261121T143000Z"
NEGATIVE = {"/config/users/alice": '{"version":1,"config":{"producer_byte_rate":"-1"}}'}
QUOTAS = (
    "SELECT snapshot_id, success FROM expectation_results "
    "WHERE table_name = 'quotas' AND expectation = 'value is not negative' ORDER BY 1"
)

Ask = Callable[[str], list[tuple[Any, ...]]]
Land = Callable[..., None]


@pytest.mark.usefixtures("healthy_first")
def test_what_a_killed_process_left_is_caught_up_once_by_a_rerun_or_by_the_next(
    settings: Settings, spark: SparkSession, land_healthy: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(snapshot_id: str) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(pipeline, "write_expectation_results", _die)
            with pytest.raises(RuntimeError, match="the power went"):
                process(settings, CLUSTER, snapshot_id, spark)

    land_healthy(SECOND, NEGATIVE)
    killed(SECOND)
    assert ask("SELECT max(snapshot_id) FROM snapshots") == [(SECOND,)]
    assert ask(QUOTAS) == []
    process(settings, CLUSTER, SECOND, spark)
    process(settings, CLUSTER, SECOND, spark)
    assert ask(QUOTAS) == [(SECOND, False)]
    land_healthy(THIRD, NEGATIVE)
    killed(THIRD)
    land_healthy(FOURTH, {})
    process(settings, CLUSTER, FOURTH, spark)
    assert ask(QUOTAS) == [(SECOND, False), (THIRD, False), (FOURTH, True)]
    tables = "SELECT count(DISTINCT table_name) FROM expectation_results GROUP BY snapshot_id"
    assert len(set(ask(tables))) == 1


@pytest.mark.usefixtures("healthy_first")
def test_expectations_that_cannot_be_caught_up_keep_no_newer_snapshot_out(
    settings: Settings, spark: SparkSession, land_healthy: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for snapshot_id in (SECOND, THIRD):
        land_healthy(snapshot_id, {})
        monkeypatch.setattr(validate, "validate", _die)
        with pytest.raises(RuntimeError, match="the power went"):
            process(settings, CLUSTER, snapshot_id, spark)
    assert ask("SELECT max(snapshot_id) FROM snapshots") == [(THIRD,)]
    assert not (settings.lake / expectations_due_path(CLUSTER, SECOND)).exists()


def _die(*_: Any) -> None:
    raise RuntimeError("the power went")
