"""One Spark session for all tests that need one: starting it takes ten seconds, tests with it take one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    from jobs.machine.session import spark_session

    session = spark_session("tests")
    yield session
    session.stop()
