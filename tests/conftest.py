"""What all tests share: one Spark session a worker, the order in which they run, and what was not tested here.

`make test` runs them in two workers side by side, `pytest` alone one after the other.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tests.s3_server import S3Server

# What fails in the modules that tests share says what it compared, too.
pytest.register_assert_rewrite("tests.integration", "tests.jobs")
# A client that goes on while its brokers are down logs thousands of lines, which hide why a test failed.
logging.getLogger("kafka").setLevel(logging.CRITICAL)

TOGETHER = {
    "tests/jobs/process/": "process",
    "tests/integration/pages/": "runbooks on clusters",
    "tests/integration/airflow/": "healthy clusters",
    "tests/integration/checks_disk/": "disks",
    "tests/integration/kafka/test_kafka_source.py": "healthy clusters",
    "tests/integration/log_dirs/test_log_dirs_source.py": "healthy clusters",
    "tests/integration/test_partial_snapshot.py": "healthy clusters",
    "tests/integration/failures/test_kafka_identity.py": "secured cluster",
    "tests/integration/kafka/test_secured.py": "secured cluster",
}
"""Files that share what is dear to make, and the group that they are: a group stays on one worker.

Every other file is a group of its own.
"""
LONGEST_FIRST = (
    *TOGETHER,
    "tests/integration/versions/",
    "tests/integration/test_demo.py",
    "tests/test_contributing.py",
    "tests/integration/",
)
"""Files that take minutes. Whoever is free takes the next group: these must not be left for the end."""


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


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[S3Server]":
    """An S3 server on this machine, whose copies of files go into a folder of the tests."""
    from tests.s3_server import s3_server

    folder = tmp_path_factory.mktemp("s3")
    with s3_server(folder) as server:
        yield server


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out group by group, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _group(nodeid)

    config.option.loadscopereorder = False
    return ByGroup(config, log)


def _group(nodeid: str) -> str:
    """What runs on one worker; of the tests of many versions each version for itself."""
    path, _, test = nodeid.partition("::")
    if path.startswith("tests/integration/versions/"):
        return test.partition("[")[2]
    return next((group for start, group in TOGETHER.items() if path.startswith(start)), path)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    places = (place for place, start in enumerate(LONGEST_FIRST) if item.nodeid.startswith(start))
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
