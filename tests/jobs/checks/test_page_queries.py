"""The queries that runbooks name can be asked of a lake."""

import shlex

import duckdb
import pyarrow as pa
import pytest

from jobs.checks.parts.check import runbooks
from jobs.lake.arrow import arrow_type
from jobs.runbooks.fill import filled
from schemas.registry import tables
from tests.page_commands import commands

QUERIES = [
    (check_id, told) for check_id in runbooks() for told in commands(check_id) if told.startswith("varve sql")
]


@pytest.fixture
def empty_lake(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Every table without a row."""
    for name, table in tables().items():
        schema = pa.schema([(column.name, arrow_type(column.type)) for column in table.columns])
        connection.register(name, schema.empty_table())
    return connection


@pytest.mark.parametrize(("check_id", "told"), QUERIES)
def test_the_query_of_a_page_can_be_asked(
    check_id: str, told: str, empty_lake: duckdb.DuckDBPyConnection
) -> None:
    query = shlex.split(filled(told, {"TOPIC": "orders", "PARTITION": "0", "NODE": "2"}))[2]
    assert empty_lake.execute(query).fetchall() == [], check_id
