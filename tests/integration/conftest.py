from collections.abc import Iterator

import pytest

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.zookeeper_mode import ZooKeeperCluster


@pytest.fixture(scope="package")
def zookeeper_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeperCluster]:
    """Three healthy brokers under /kafka_cluster_01 with two log dirs each. Leave it as healthy as it was."""
    with ZooKeeperCluster(tmp_path_factory.mktemp("zookeeper-mode")) as cluster:
        yield cluster


@pytest.fixture(scope="package")
def kraft_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    """One controller and two brokers, healthy. Leave it as healthy as it was."""
    with KRaftCluster(tmp_path_factory.mktemp("kraft-mode")) as cluster:
        yield cluster
