"""One cluster lives through the incidents in the order of the tests."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from kazoo.client import KazooClient

from jobs.lab.distribution import add_partitions_with_old_tool
from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, partitions_of, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.settings import load_settings


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeperCluster]:
    with ZooKeeperCluster(tmp_path_factory.mktemp("incidents")) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
        produce(cluster.bootstrap_servers, "orders")
        create_topic(cluster.bootstrap_servers, "lonely", [[2]], {"retention.ms": "60000"})
        yield cluster


def znode(cluster: ZooKeeperCluster, path: str) -> Any:
    with cluster.client() as client:
        return json.loads(client.get(path)[0])


def ids_on_disk(cluster: ZooKeeperCluster, topic: str) -> set[str]:
    files = [
        file
        for broker_id in cluster.brokers
        for log_dir in cluster.log_dirs(broker_id)
        for file in log_dir.glob(f"{topic}-*/partition.metadata")
    ]
    return {file.read_text().split("topic_id: ")[1].strip() for file in files}


def isr(cluster: ZooKeeperCluster, topic: str) -> dict[int, set[int]]:
    found = partitions_of(cluster.bootstrap_servers, topic)
    return {number: set(partition["isr_nodes"]) for number, partition in found.items()}


def test_everything_is_under_the_chroot(cluster: ZooKeeperCluster) -> None:
    root = KazooClient(hosts=cluster.zookeeper.address)
    root.start()
    assert set(root.get_children("/")) == {"kafka_cluster_01", "zookeeper"}
    assert set(root.get_children("/kafka_cluster_01/brokers/ids")) == {"1", "2", "3"}
    root.stop()


def test_topics_have_the_replicas_and_configs_that_were_asked_for(cluster: ZooKeeperCluster) -> None:
    topic = znode(cluster, "/brokers/topics/orders")
    assert topic["partitions"] == {"0": [1, 2, 3], "1": [2, 3, 1], "2": [3, 1, 2]}
    assert topic["version"] == 3
    assert ids_on_disk(cluster, "orders") == {topic["topic_id"]}
    assert znode(cluster, "/config/topics/lonely")["config"] == {"retention.ms": "60000"}


def test_replicas_are_spread_over_both_log_dirs_and_have_checkpoints(cluster: ZooKeeperCluster) -> None:
    for log_dir in cluster.log_dirs(1):
        assert list(log_dir.glob("orders-*/partition.metadata"))
        assert (log_dir / "replication-offset-checkpoint").exists()
        assert (log_dir / "recovery-point-offset-checkpoint").exists()


def test_its_settings_are_a_valid_cluster_of_varve_yaml(cluster: ZooKeeperCluster, tmp_path: Path) -> None:
    varve_yaml = tmp_path / "varve.yaml"
    varve_yaml.write_text(json.dumps({"lake": "./lake", "clusters": [cluster.settings("orders")]}))
    sources = load_settings(varve_yaml).cluster("orders").sources
    assert set(sources) == {"kafka", "log_dirs", "zookeeper"}


def test_a_killed_broker_leaves_and_returns(cluster: ZooKeeperCluster) -> None:
    cluster.kill_broker(2)
    with cluster.client() as client:
        assert sorted(client.get_children("/brokers/ids")) == ["1", "3"]
    left = {0: {1, 3}, 1: {1, 3}, 2: {1, 3}}
    wait_until("the ISR to shrink", lambda: isr(cluster, "orders") == left, [cluster.brokers[1].jvm], 30)
    assert znode(cluster, "/brokers/topics/lonely/partitions/0/state")["leader"] == -1
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    with cluster.client() as client:
        assert sorted(client.get_children("/brokers/ids")) == ["1", "2", "3"]
    leaders = {part["leader_id"] for part in partitions_of(cluster.bootstrap_servers, "orders").values()}
    assert leaders == {1, 3}


def test_the_old_tool_drops_the_topic_id_and_everything_still_works(cluster: ZooKeeperCluster) -> None:
    before = cluster.topic_id("orders")
    add_partitions_with_old_tool(cluster.zookeeper_connect, "orders", 5)
    assert "topic_id" not in znode(cluster, "/brokers/topics/orders")
    produce(cluster.bootstrap_servers, "orders")
    cluster.wait_until_in_sync()
    assert ids_on_disk(cluster, "orders") == {before}


def test_a_deleted_controller_is_elected_again_one_epoch_higher_and_mints_a_new_id(
    cluster: ZooKeeperCluster,
) -> None:
    before = znode(cluster, "/controller_epoch")
    cluster.delete_controller()
    assert znode(cluster, "/controller_epoch") == before + 1
    assert cluster.controller_id() in {1, 2, 3}
    assert ids_on_disk(cluster, "orders") != {cluster.topic_id("orders")}


def test_a_restarted_broker_cannot_rejoin_the_isr_of_a_mismatched_topic(cluster: ZooKeeperCluster) -> None:
    cluster.stop_broker(1)
    cluster.start_broker(1)
    assert all(1 not in members for members in isr(cluster, "orders").values())


def test_nothing_is_left_running_when_the_work_inside_fails(tmp_path: Path) -> None:
    pids = []

    def fail_inside() -> None:
        with ZooKeeperCluster(tmp_path, brokers=1) as cluster:
            pids.extend(server.pid for server in cluster.servers)
            assert [psutil.pid_exists(pid) for pid in pids] == [True, True]
            raise RuntimeError("the work failed")

    with pytest.raises(RuntimeError, match="the work failed"):
        fail_inside()
    assert [psutil.pid_exists(pid) for pid in pids] == [False, False]
