"""Znodes as tables are made from them, and the rows that are made."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.lake.arrow import arrow_type
from jobs.tables.parts.conform import conform
from schemas.registry import tables

Frame = Callable[..., DataFrame]

RECORDED = Path(__file__).parents[2] / "data" / "zookeeper" / "zookeeper-3.9.1.json"
CREATED_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
WRITTEN_AT = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)


@pytest.fixture
def znodes(frame: Frame) -> Callable[..., DataFrame]:
    """Znodes from their data by path; a row of columns in place of the data changes the usual stat."""

    def znodes_of(tree: Mapping[str, Any]) -> DataFrame:
        usual = {"encoding": "utf-8", "czxid": 10, "mzxid": 20, "version": 3, "ephemeral_owner": 0}
        usual |= {"ctime": CREATED_AT, "mtime": WRITTEN_AT}
        rows = [
            usual | {"path": path} | (node if isinstance(node, dict) else {"data": node})
            for path, node in tree.items()
        ]
        return frame("znodes", *rows)

    return znodes_of


@pytest.fixture
def recorded(znodes: Callable[..., DataFrame]) -> DataFrame:
    """The tree of a real Kafka 3.9.1 as it landed: ACLs, quotas, credentials and a token were made with its tools."""
    tree = json.loads(RECORDED.read_text(encoding="utf-8"))
    return znodes(
        {path: node | {"ctime": datetime.fromisoformat(node["ctime"])} for path, node in tree.items()}
    )


@pytest.fixture
def rows_of() -> Callable[..., list[tuple[Any, ...]]]:
    """The rows of a derived table as they are written, sorted: the named columns, or all."""

    def sorted_rows(table: str, rows: DataFrame, *names: str) -> list[tuple[Any, ...]]:
        made = conform(rows, tables()[table])
        assert tuple(made.columns) == tables()[table].column_names
        arrow = made.toArrow()
        declared = [str(arrow_type(column.type)) for column in tables()[table].columns]
        # An array that never holds null is one of the declared type, too.
        assert [str(kind).replace(" not null", "") for kind in arrow.schema.types] == [
            kind.replace("item", "element") for kind in declared
        ]
        return sorted(
            (tuple(row[name] for name in names or made.columns) for row in arrow.to_pylist()), key=str
        )

    return sorted_rows


@pytest.fixture
def malformed() -> tuple[str | None, ...]:
    """Data that is no JSON object."""
    deep = '{"a":' * 1_100 + "1" + "}" * 1_100
    return (None, "", "garbage", "{", '{"version":1', '"text"', "7", "[1,2]", "null", "true", deep)
