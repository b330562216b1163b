"""Finds every table: each `Table` value in a module of this package is in the lake."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import schemas
from schemas.table import Table


@cache
def tables() -> dict[str, Table]:
    """Every table of the lake by name, in the order of the modules' names."""
    found: dict[str, Table] = {}
    for module in sorted(info.name for info in iter_modules(schemas.__path__)):
        for value in vars(import_module(f"schemas.{module}")).values():
            if isinstance(value, Table):
                if found.get(value.name, value) is not value:
                    raise ValueError(f"two tables are named {value.name}")
                found[value.name] = value
    return found


def collected_by(source: str) -> tuple[Table, ...]:
    """The tables a source lands."""
    return tuple(table for table in tables().values() if table.source == source)


def derived() -> tuple[Table, ...]:
    """The tables that are made from others, each by the module of its name in `jobs/tables`."""
    return tuple(table for table in tables().values() if table.inputs)
