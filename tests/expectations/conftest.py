"""Tables of a few rows, run through the real suites by the real Great Expectations on Spark."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest
from pyspark.sql import DataFrame

from expectations.validate import validate

Row = Mapping[str, Any]


@pytest.fixture
def broken_by(frame: Callable[..., DataFrame]) -> Callable[..., dict[str, str | None]]:
    """The table's own special expectations that do not hold of the rows, with what was observed."""

    def broken(table: str, *rows: Row) -> dict[str, str | None]:
        special = {rule.text for rule in import_module(f"expectations.{table}").RULES}
        results = validate({table: frame(table, *rows)})
        return {row[1]: row[5] for row in results if row[1] in special and not row[4]}

    return broken
