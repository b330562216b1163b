from pathlib import Path

import pytest

from jobs.lab.cluster import KafkaCluster
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster

pytestmark = pytest.mark.versions


def use(cluster: KafkaCluster) -> list[int]:
    with cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1]])
        produce(cluster.bootstrap_servers, "orders")
        cluster.wait_until_in_sync()
        return [
            int(part["leader_id"]) for part in partitions_of(cluster.bootstrap_servers, "orders").values()
        ]


def test_kafka_2_8_runs_with_its_zookeeper_3_5(tmp_path: Path) -> None:
    assert use(ZooKeeperCluster(tmp_path, brokers=1, version="2.8.2")) == [1]


@pytest.mark.parametrize("version", ["3.3.2", "4.1.0"])
def test_kraft_runs_with_a_static_and_with_a_dynamic_quorum(version: str, tmp_path: Path) -> None:
    assert use(KRaftCluster(tmp_path, brokers=1, version=version)) == [1]
