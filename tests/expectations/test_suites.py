import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

import pytest
from pyspark.sql import DataFrame

import expectations
from expectations.rule import Rule
from expectations.suites import rules_for, suite_for
from schemas.registry import collected_by, tables
from schemas.table import Table

Frame = Callable[..., DataFrame]
MODULES = {
    info.name: import_module(f"expectations.{info.name}") for info in iter_modules(expectations.__path__)
}
SPECIAL = {name: module.RULES for name, module in MODULES.items() if hasattr(module, "RULES")}


def test_every_special_module_is_named_as_a_table() -> None:
    assert SPECIAL.keys() <= tables().keys()


@pytest.mark.parametrize("source", ["zookeeper", "kafka", "log_dirs"])
def test_every_source_has_a_special_suite(source: str) -> None:
    assert {table.name for table in collected_by(source)} & SPECIAL.keys()


@pytest.mark.parametrize("table", tables().values(), ids=lambda table: table.name)
def test_no_two_rules_of_a_table_read_the_same(table: Table) -> None:
    texts = [rule.text for rule in rules_for(table)]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_rule_uses_only_columns_that_its_table_has(frame: Frame, name: str) -> None:
    frame(name).selectExpr(*(rule.breaches for rule in SPECIAL[name])).collect()


def test_a_suite_says_what_the_schema_says_and_then_what_it_cannot() -> None:
    texts = [rule.text for rule in rules_for(tables()["quorum_members"])]
    assert texts == [
        "node_id is never null",
        "role is never null",
        "role is one of voter, observer",
        "(node_id, directory_id) is unique",
        "there is at least one voter",
        "node_id is not negative",
        "directory_id is 22 characters when present",
    ]


def test_a_suite_of_great_expectations_carries_text_and_severity() -> None:
    suite = suite_for(tables()["quorum"])
    assert suite.name == "quorum"
    assert [(e.description, e.severity.value) for e in suite.expectations] == [
        ("leader_id is never null", "critical"),
        ("leader_epoch is never null", "critical"),
        ("there is at most one row", "critical"),
    ]


def test_rules_are_known_without_great_expectations_or_spark() -> None:
    program = (
        "import sys, expectations.suites, expectations.validate; from schemas.registry import tables;"
        "[expectations.suites.rules_for(table) for table in tables().values()];"
        "print(sorted({'great_expectations', 'pyspark'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_rules_are_frozen_values() -> None:
    assert all(isinstance(rule, Rule) for rules in SPECIAL.values() for rule in rules)
