"""A DuckDB that reads the given files and can do nothing else."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import duckdb

from jobs.errors import UsageError
from jobs.lake.duckdb_sql import text

_MEMORY = "2GB"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": _MEMORY,
    "temp_directory": "",
    "python_enable_replacements": False,
}
# Each thread needs memory of its own: sixteen threads run out of 256 MB where two do not.
_LITTLE_MEMORY = "SET memory_limit = '256MB'; SET threads = 2"
_READING = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_READ_ONLY = "Only one SELECT at a time is possible: the lake can be read, never written"


def open_sandbox(spill_to: str = "") -> duckdb.DuckDBPyConnection:
    """A DuckDB in memory whose instants are UTC. With a folder to spill to it keeps little in memory."""
    connection = duckdb.connect(config=_CONFIG)
    if spill_to:
        connection.execute(f"{_LITTLE_MEMORY}; SET temp_directory = {text(spill_to)}")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_progress_bar = false")
    return connection


def give_memory(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a DuckDB that was to keep little in memory use as much as others: the lists of an aggregate it cannot spill."""
    connection.execute(f"SET memory_limit = '{_MEMORY}'")


def lock(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
    """Let the connection open these files only, and refuse every change of a setting."""
    connection.execute("SET allowed_paths = $1", [list(files)])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def refuse_writing(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raises UsageError unless `sql` is one statement that only reads.

    DuckDB takes a COPY or INSERT inside WITH for a SELECT, and an allowed path may be written to: such a
    query would overwrite the lake's own files. So every node of the parsed query has to be one that reads.
    """
    (answer,) = connection.execute("SELECT json_serialize_sql($1)", [sql]).fetchone() or ("",)
    parsed = json.loads(answer)
    if parsed["error"] and parsed["error_type"] == "parser":
        raise UsageError(f"This is no SQL that DuckDB understands: {parsed['error_message']}")
    if parsed["error"] or len(parsed["statements"]) != 1 or not set(_nodes(parsed)) <= _READING:
        raise UsageError(_READ_ONLY)


def explain(error: duckdb.Error) -> str:
    """DuckDB's error message, without the excerpt of the query that follows it."""
    return re.split(r"\n\n|\nLINE ", str(error))[0]


def _nodes(tree: Any) -> Iterable[str]:
    """The kinds of query in a parsed query, at any depth."""
    if isinstance(tree, dict):
        kind = tree.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE"):
            yield kind
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from _nodes(branch)
