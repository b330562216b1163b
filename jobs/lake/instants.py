"""The instants at which a query asks for the past: what `X_at(instant)` reads depends on them."""

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

import duckdb

from jobs.lake.sandbox import lock, open_sandbox


def instants_asked(sql: str, functions: Collection[str]) -> dict[str, list[datetime]]:
    """By table function the instants that a query gives it, where each can be told without computing the query.

    A query that DuckDB cannot parse asks for nothing.
    """
    if not any(f"{function}(" in sql.lower() for function in functions):
        return {}
    with open_sandbox() as connection:
        lock(connection, [])
        asked: dict[str, list[datetime | None]] = {}
        for function, argument in _calls(_parsed(connection, sql)):
            if function in functions:
                asked.setdefault(function, []).append(_instant(connection, argument))
    return {
        function: known
        for function, of in asked.items()
        if len(known := [each for each in of if each]) == len(of)
    }


def _calls(tree: Any) -> Iterator[tuple[str, Any]]:
    """The table functions of a parsed query, with their first argument."""
    branches = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    if isinstance(tree, dict) and tree.get("type") == "TABLE_FUNCTION":
        arguments = tree["function"]["arguments"]
        yield tree["function"]["function_name"].lower(), arguments[0]["expression"] if arguments else None
    for branch in branches:
        yield from _calls(branch)


def _instant(connection: duckdb.DuckDBPyConnection, expression: Any) -> datetime | None:
    """What an expression is as an instant, None where it depends on rows."""
    select = _parsed(connection, "SELECT CAST(NULL AS TIMESTAMPTZ)")
    select["statements"][0]["node"]["select_list"][0]["child"] = expression
    try:
        found = connection.execute("FROM json_execute_serialized_sql($1)", [json.dumps(select)]).fetchall()
    except duckdb.Error:
        return None
    return found[0][0] if found and isinstance(found[0][0], datetime) else None


def _parsed(connection: duckdb.DuckDBPyConnection, sql: str) -> Any:
    (serialized,) = connection.execute("SELECT json_serialize_sql($1)", [sql]).fetchone() or ("{}",)
    return json.loads(serialized)
