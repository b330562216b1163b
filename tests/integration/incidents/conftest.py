"""Clusters of the incident reports, watched by Varve, and processes that stop for a while."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import Jvm
from tests.integration.watched import Watched


@pytest.fixture(scope="session")
def watch(spark: SparkSession) -> Callable[[KafkaCluster, Path], Watched[KafkaCluster]]:
    """`watch(cluster, folder)`: the cluster with a lake in that folder."""
    return lambda cluster, home: Watched(cluster, home, spark)


@pytest.fixture(scope="session")
def frozen() -> Callable[[Jvm], Any]:
    """`with frozen(jvm)`: the process is stopped with SIGSTOP meanwhile, as by a pause that does not end."""

    @contextmanager
    def pause(jvm: Jvm) -> Iterator[None]:
        os.kill(jvm.pid, SIGSTOP)
        try:
            yield
        finally:
            if jvm.running:
                os.kill(jvm.pid, SIGCONT)

    return pause
