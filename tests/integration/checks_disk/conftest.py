"""One cluster of each mode, whose disks are brought into every state that a check knows, and mended again."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.disks import Disks

ASSIGNMENTS = {"orders": [[1, 2], [2, 1]], "alone": [[2]], "quiet": [[1, 2]]}
# Deletions are done at once, and retention begins to delete what it takes for old; a copy between log dirs takes one
# batch a fetch, so that a limit can hold it up for long.
SETTINGS = {
    "log.initial.task.delay.ms": "100",
    "log.retention.check.interval.ms": "100",
    "log.segment.delete.delay.ms": "100",
    "replica.fetch.max.bytes": "1",
}


class ZooKeeperDisks(ZooKeeperCluster):
    def _properties(self, node: Node) -> dict[str, str]:
        return {**super()._properties(node), **SETTINGS}


class KRaftDisks(KRaftCluster):
    def _properties(self, node: Node) -> dict[str, str]:
        return {**super()._properties(node), **SETTINGS}


@pytest.fixture(scope="session", params=["zookeeper", "kraft"])
def disks(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Disks]:
    """Brokers with two log dirs each, of which broker 2 has the disks to be harmed. Leave it as healthy as it was."""
    home = tmp_path_factory.mktemp(f"{request.param}-disks")
    cluster: KafkaCluster = (
        ZooKeeperDisks(home / "cluster")
        if request.param == "zookeeper"
        else KRaftDisks(home / "cluster", log_dirs=2)
    )
    with cluster:
        disks = Disks(cluster, home, spark)
        for topic, assignment in ASSIGNMENTS.items():
            disks.topic(topic, assignment)
        assert disks.findings() == {}
        yield disks
