"""A cluster whose disks are brought into the states that checks know, and mended again."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.watched import Watched


@pytest.fixture(scope="module")
def zookeeper_disks(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Watched[ZooKeeperCluster]]:
    """Two brokers with two log dirs each. Leave it as healthy as it was."""
    home = tmp_path_factory.mktemp("zookeeper-disks")
    with ZooKeeperCluster(home / "cluster", brokers=2) as cluster:
        _fill(cluster)
        yield Watched(cluster, home, spark)


def _fill(cluster: KafkaCluster) -> None:
    for topic, assignment in {"orders": [[1, 2], [2, 1]], "alone": [[2]], "quiet": [[1, 2]]}.items():
        create_topic(cluster.bootstrap_servers, topic, assignment, {"file.delete.delay.ms": "100"})
        produce(cluster.bootstrap_servers, topic)
