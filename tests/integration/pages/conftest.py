"""Clusters in both modes, watched by Varve, on which the steps of the runbooks are followed."""

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.pages.followed import Followed


@pytest.fixture(scope="package", params=["zookeeper", "kraft"])
def followed(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Followed]:
    """Three brokers with a log dir each. Leave all partitions in sync."""
    home = tmp_path_factory.mktemp(f"followed-{request.param}")
    kinds: dict[str, Callable[[], KafkaCluster]] = {
        "zookeeper": lambda: ZooKeeperCluster(home / "cluster", log_dirs=1),
        "kraft": lambda: KRaftCluster(home / "cluster", brokers=3),
    }
    with kinds[request.param]() as cluster:
        yield Followed(cluster, home, spark)
