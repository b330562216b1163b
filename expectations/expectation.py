"""The one Great Expectations expectation Varve adds. Importing this module takes seconds.

Great Expectations computes all aggregates over one table in one pass, but most of its own expectations need
further passes. Written as an aggregate, every rule of a table is answered by that single pass.
"""

from typing import Any, ClassVar

from great_expectations.core.metric_domain_types import MetricDomainTypes
from great_expectations.core.metric_function_types import MetricPartialFunctionTypes
from great_expectations.execution_engine.execution_engine import ExecutionEngine
from great_expectations.execution_engine.sparkdf_execution_engine import SparkDFExecutionEngine
from great_expectations.expectations.expectation import BatchExpectation
from great_expectations.expectations.metrics.metric_provider import metric_partial
from great_expectations.expectations.metrics.table_metric_provider import TableMetricProvider
from pyspark.sql import Column
from pyspark.sql import functions as F


class Breaches(TableMetricProvider):
    """Great Expectations' metric for the value of a Spark SQL aggregate, bundled with the table's others."""

    metric_name = "varve.breaches"
    value_keys = ("breaches",)

    @staticmethod
    @metric_partial(
        engine=SparkDFExecutionEngine,
        partial_fn_type=MetricPartialFunctionTypes.AGGREGATE_FN,
        domain_type=MetricDomainTypes.TABLE,
    )
    def _spark(
        *, metric_domain_kwargs: dict[str, Any], metric_value_kwargs: dict[str, Any], **_: Any
    ) -> tuple[Column, dict[str, Any], dict[str, Any]]:
        return F.expr(metric_value_kwargs["breaches"]), metric_domain_kwargs, {}


class ExpectNoBreaches(BatchExpectation):
    """Expect the Spark SQL aggregate `breaches` to be 0."""

    breaches: str
    metric_dependencies: ClassVar[tuple[str, ...]] = (Breaches.metric_name,)
    success_keys: ClassVar[tuple[str, ...]] = ("breaches",)

    def _validate(
        self,
        metrics: dict[str, Any],
        runtime_configuration: dict[str, Any] | None = None,  # noqa: ARG002
        execution_engine: ExecutionEngine[Any] | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        count = metrics[Breaches.metric_name]
        return {"success": count == 0, "result": {"observed_value": count}}
