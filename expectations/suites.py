"""The suite of each table: what its schema says, and what the module of the table's name adds."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import expectations
from expectations.derived import derived
from expectations.rule import Rule
from schemas.table import Table

if TYPE_CHECKING:
    from great_expectations import ExpectationSuite


def rules_for(table: Table) -> tuple[Rule, ...]:
    """Every rule of a table, in the order of its suite."""
    special = import_module(f"expectations.{table.name}").RULES if table.name in _modules() else ()
    return (*derived(table), *special)


def suite_for(table: Table) -> "ExpectationSuite":
    """The suite of a table, named as the table; each expectation is described by its rule's text."""
    from great_expectations import ExpectationSuite
    from great_expectations.expectations.metadata_types import FailureSeverity

    from expectations.expectation import ExpectNoBreaches

    return ExpectationSuite(
        name=table.name,
        expectations=[
            ExpectNoBreaches(
                breaches=rule.breaches, severity=FailureSeverity(rule.severity), description=rule.text
            )
            for rule in rules_for(table)
        ],
    )


@cache
def _modules() -> frozenset[str]:
    return frozenset(info.name for info in iter_modules(expectations.__path__))
