"""What all tests share: one Spark session a worker, the order in which they run, and what was not tested here.

`make test` runs them in two workers side by side, `pytest` alone one after the other.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHARED = {
    "airflow": "healthy clusters",
    "kraft_cluster": "healthy clusters",
    "zookeeper_cluster": "healthy clusters",
    "secured_cluster": "secured cluster",
    "healthy_lake": "healthy lake",
}
"""Fixtures that are dear to make, and the group of the files whose tests use them: a group stays on one worker.

A file that uses none of them is a group of its own.
"""
LONGEST_FIRST = (
    "healthy lake",
    "healthy clusters",
    "tests/integration/versions",
    "tests/integration/test_demo.py",
    "tests/test_contributing.py",
    "tests/jobs/process",
    "tests/integration",
)
"""Groups and folders that take minutes. Whoever is free takes the next group: these must not be left for the end."""


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """Starting it takes ten seconds, a test with it one."""
    from jobs.machine.session import spark_session

    session = spark_session("tests")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def frame(spark: "SparkSession") -> "Callable[..., DataFrame]":
    """Rows of a table in `schemas/`, such as `frame("topics", {"topic": "orders"})`; what is not given is null.

    Keywords are columns beside the table's own, with their Arrow types.
    """
    import pyarrow as pa

    from jobs.lake.arrow import arrow_type
    from schemas.registry import tables

    def frame_of(table: str, *rows: Mapping[str, Any], **more: pa.DataType) -> "DataFrame":
        columns = [(column.name, arrow_type(column.type)) for column in tables()[table].columns]
        schema = pa.schema([*columns, *more.items()])
        return spark.createDataFrame(pa.Table.from_pylist(list(rows), schema))

    return frame_of


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put every test into a group, and the groups into the order in which workers take them."""
    grouped = {path: _group(list(tests)) for path, tests in groupby(items, key=_path)}
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(grouped[_path(item)]))
    items.sort(key=_place)


def _path(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _group(tests: list[pytest.Item]) -> str:
    used = {fixture for test in tests for fixture in getattr(test, "fixturenames", ())}
    return next((group for fixture, group in SHARED.items() if fixture in used), _path(tests[0]))


def _place(item: pytest.Item) -> int:
    marker = item.get_closest_marker("xdist_group")
    names = (_path(item), marker.args[0] if marker else "")
    places = (
        place for place, first in enumerate(LONGEST_FIRST) if any(name.startswith(first) for name in names)
    )
    return next(places, len(LONGEST_FIRST))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what this machine lacks, so that nobody takes it for tested."""
    reports = [report for outcome in ("skipped", "passed") for report in terminalreporter.getreports(outcome)]
    told = Counter(why for report in reports for why in _not_tested(report))
    if told:
        terminalreporter.section("Not tested here")
    for why, count in told.items():
        terminalreporter.write_line(f"{count} {'test' if count == 1 else 'tests'}: {why}")


def _not_tested(report: pytest.TestReport) -> Iterator[str]:
    """Why a test was skipped, or what else stood in a passed test for what this machine lacks."""
    if report.skipped and isinstance(report.longrepr, tuple):
        yield report.longrepr[2].removeprefix("Skipped: ")
    if report.when == "call" and report.passed:
        yield from (str(why) for name, why in report.user_properties if name == "not tested")
