"""Runs the suites and tells what was seen, as rows of `expectation_results`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from expectations.rule import Rule
from expectations.suites import rules_for, suite_for
from schemas.judgement import NOT_RUN
from schemas.registry import tables
from schemas.table import Table

if TYPE_CHECKING:
    from great_expectations.core import ExpectationValidationResult
    from great_expectations.core.batch_definition import BatchDefinition
    from pyspark.sql import DataFrame

ResultRow = tuple[str, str, str, str, bool, str | None]
"""The columns of `schemas.judgement.EXPECTATION_RESULTS`: suite, expectation, table, severity, success, observed."""

LONGEST_OBSERVED = 200


def validate(frames: "Mapping[str, DataFrame]") -> list[ResultRow]:
    """Run the suite of every table whose name is given, each on its frame, in one pass over it.

    The frame of a state holds its current rows; that of a series or a log also has `snapshot_id`, and may
    hold any number of snapshots. An expectation that cannot be run is a failed row with the reason.
    """
    batches = _batch_definition()
    rows: list[ResultRow] = []
    for name, frame in frames.items():
        rows += _validated(tables()[name], frame, batches)
    return rows


def _batch_definition() -> "BatchDefinition[Any]":
    """Where Great Expectations takes a frame; it stores, caches, draws and sends nothing."""
    import great_expectations as gx
    from great_expectations.data_context.types import base

    settings = base.DataContextConfig(
        analytics_enabled=False,
        progress_bars=base.ProgressBarsConfig(globally=False),
        store_backend_defaults=base.InMemoryStoreBackendDefaults(),
    )
    context = gx.get_context(mode="ephemeral", project_config=settings)
    source = context.data_sources.add_spark("lake", persist=False)
    return source.add_dataframe_asset("table").add_batch_definition_whole_dataframe("rows")


def _validated(table: Table, frame: "DataFrame", batches: "BatchDefinition[Any]") -> list[ResultRow]:
    batch = batches.get_batch(batch_parameters={"dataframe": frame})
    results = batch.validate(suite_for(table), result_format="BASIC").results
    by_text = {config.description: result for result in results if (config := result.expectation_config)}
    return [_row(rule, by_text[rule.text], table, frame) for rule in rules_for(table)]


def _row(rule: Rule, result: "ExpectationValidationResult", table: Table, frame: "DataFrame") -> ResultRow:
    observed = None if result.success else _observed(rule, result, table, frame)
    return (table.name, rule.text, table.name, rule.severity, bool(result.success), observed)


def _observed(rule: Rule, result: "ExpectationValidationResult", table: Table, frame: "DataFrame") -> str:
    if "observed_value" not in result.result:
        return _shortened(NOT_RUN + _exception(result.exception_info))
    count = result.result["observed_value"]
    text = f"{count} {rule.counted}" + ("" if count == 1 else "s")
    example = _example(rule, table, frame)
    return _shortened(f"{text}, such as {example}" if example else text)


def _example(rule: Rule, table: Table, frame: "DataFrame") -> str | None:
    """The key of one row that breaks the rule; null where rows have no key or do not break it singly."""
    from pyspark.sql import functions as F

    if not (rule.broken and table.key):
        return None
    key = F.concat_ws(", ", *(F.col(column).cast("string") for column in table.key))
    row = frame.where(rule.broken).select(key).first()
    return row[0] if row else None


def _exception(info: Mapping[str, Any]) -> str:
    """The first line; Great Expectations nests it under the metric that raised."""
    nested = (value for value in info.values() if isinstance(value, Mapping))
    message = next(nested, info).get("exception_message") or "Great Expectations does not say why"
    return str(message).strip().splitlines()[0]


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_OBSERVED else text[: LONGEST_OBSERVED - 1] + "…"
