"""Values from the lake as text that is safe to print: anybody may have chosen the names of topics and clients."""

import json
import math
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from jobs.wording import printable, written

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def as_text(value: Any) -> str:
    """A value as the text of one cell: null is empty, arrays and structs are JSON."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return written(value)
    if isinstance(value, bool | list | dict):
        value = json.dumps(as_json(value), ensure_ascii=False)
    return "\n".join(printable(line) for line in str(value).split("\n"))


def as_csv(value: Any) -> str:
    """A value as a cell of CSV; text that a spreadsheet would take for a formula begins with a quote."""
    cell = as_text(value)
    is_formula = isinstance(value, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def as_json(value: Any) -> Any:
    """A value for `json.dumps`: instants in ISO 8601 with Z; null for numbers that JSON does not have."""
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, dict):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def unique(columns: Sequence[str]) -> list[str]:
    """The names of the columns; those that repeat get a number: `x`, `x_1`."""
    names: list[str] = []
    for column in columns:
        repeats = sum(name == column for name in columns[: len(names)])
        names.append(f"{column}_{repeats}" if repeats else column)
    return names
