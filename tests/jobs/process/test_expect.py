"""Expectations come after the commit, once, also where the process was killed in between."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from expectations import validate
from jobs.lake.layout import expectations_due_path
from jobs.process import expect, pipeline, process
from jobs.settings import Settings

CLUSTER = "orders"
SECOND, THIRD, FOURTH, FIFTH = (f"20261121T14{minute}000Z" for minute in (1, 2, 3, 4))
NEGATIVE = {"/config/users/alice": '{"version":1,"config":{"producer_byte_rate":"-1"}}'}
QUOTAS = (
    "SELECT snapshot_id, success FROM expectation_results "
    "WHERE table_name = 'quotas' AND expectation = 'value is not negative' ORDER BY 1"
)
RUN_BY = "SELECT snapshot_id, bool_or(table_name = 'topics') FROM expectation_results GROUP BY ALL ORDER BY 1"

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
    assert ask(RUN_BY) == [(SECOND, True), (THIRD, True), (FOURTH, False)]


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


@pytest.mark.usefixtures("healthy_first")
def test_the_suite_of_a_table_that_did_not_change_is_not_run_again(
    settings: Settings, spark: SparkSession, land_healthy: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    validated: list[set[str]] = []
    run = validate.validate

    def watched(frames: Mapping[str, DataFrame]) -> list[validate.ResultRow]:
        validated.append(set(frames))
        return run(frames)

    monkeypatch.setattr(validate, "validate", watched)
    for snapshot_id, znodes in ((SECOND, NEGATIVE), (THIRD, NEGATIVE), (FOURTH, {})):
        land_healthy(snapshot_id, znodes)
        process(settings, CLUSTER, snapshot_id, spark)
    monkeypatch.setattr(expect, "code_version", lambda: "other code")
    land_healthy(FIFTH, {})
    process(settings, CLUSTER, FIFTH, spark)
    every, of_findings, *after = validated
    *changed, by_other_code, _ = after
    assert {"topics", "quotas", "znodes"} <= every
    assert of_findings == {"findings"}
    assert {"quotas", "znodes"} <= set().union(*changed)
    assert "topics" not in set().union(*changed)
    assert by_other_code == every
    assert ask(QUOTAS) == [(SECOND, False), (FOURTH, True), (FIFTH, True)]
    assert ask(RUN_BY) == [(SECOND, True), (FOURTH, False), (FIFTH, True)]


def _die(*_: Any) -> None:
    raise RuntimeError("the power went")
