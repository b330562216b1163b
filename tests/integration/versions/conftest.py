"""One incident on every kind of cluster from Kafka 2.8 to 4.x.

Broker 3 of three dies, the controller is elected anew, broker 3 comes back, and then nothing happens. It is the
only replica of `alone` and the preferred leader of `orders-2`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import controller_of, create_topic, produce, quorum_members
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.lake.read import open_reader
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.storage import open_storage

SNAPSHOTS = {
    "healthy": "20261121T140000Z",
    "broken": "20261121T141000Z",
    "returned": "20261121T142000Z",
    "quiet": "20261121T143000Z",
}

Rows = list[tuple[Any, ...]]
Cluster = ZooKeeperCluster | KRaftCluster


@dataclass(frozen=True)
class Version:
    """A kind of cluster, and the few things in which it must look different from the others."""

    number: str
    quorum: bool = False
    """Only KRaft has one. Its leader goes on listing a dead broker as an observer."""
    ids_on_new_disks: bool = True
    """Kafka 2.8 writes partition.metadata with the second LeaderAndIsr request of a replica, whenever that comes."""
    directory_ids: bool = True
    """Log dirs have them since 3.7 (in ZooKeeper mode never), DescribeQuorum tells them since 3.9."""
    tells_fenced: bool = False
    """Before 4.0 a dead broker is in no answer; since then DescribeCluster lists it as fenced (KIP-1073).

    An older one is known to be fenced where a checkpoint was written while it was registered.
    """
    isr_when_offline: tuple[int, ...] = (3,)
    """With eligible leader replicas (KIP-966, on in new 4.1 clusters) the last one leaves the ISR as well."""

    @property
    def directory_id(self) -> str:
        return "known" if self.quorum and self.directory_ids else "null"


VERSIONS = [
    Version("2.8.2", ids_on_new_disks=False),
    Version("3.3.2"),
    Version("3.9.1"),
    Version("3.3.2", quorum=True, directory_ids=False),
    Version("3.9.1", quorum=True),
    Version("4.1.0", quorum=True, tells_fenced=True, isr_when_offline=()),
]


def _name(version: Version) -> str:
    return f"{'kraft' if version.quorum else 'zookeeper'}-{version.number}"


@pytest.fixture(scope="module", params=VERSIONS, ids=_name)
def version(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def ask(
    version: Version, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], Rows]:
    """What the lake that saw the incident answers as of one of its moments."""
    home = tmp_path_factory.mktemp(_name(version))
    kind = KRaftCluster if version.quorum else ZooKeeperCluster
    with kind(home / "cluster", brokers=3, version=version.number) as cluster:
        (home / "varve.yaml").write_text(
            yaml.safe_dump({"lake": "lake", "clusters": [cluster.settings("lab")]})
        )
        settings = load_settings(home / "varve.yaml")
        for moment in _incident(cluster):
            collect_all(settings, "lab", SNAPSHOTS[moment])
    for snapshot_id in SNAPSHOTS.values():
        process(settings, "lab", snapshot_id, spark, expect=False)
    return lambda moment, sql: (
        open_reader(open_storage(settings.lake), ["lab"], at=SNAPSHOTS[moment]).query(sql).rows
    )


def _incident(cluster: Cluster) -> Iterator[str]:
    """Yields the name of the moment whenever a snapshot is due."""
    create_topic(cluster.bootstrap_servers, "alone", [[3]])
    create_topic(cluster.bootstrap_servers, "orders", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    produce(cluster.bootstrap_servers, "alone", 20)
    produce(cluster.bootstrap_servers, "orders", 21)
    _wait_for_checkpoints(cluster, 7, 1, 2, 3)
    _move_controller_from_broker_3(cluster)
    yield "healthy"
    _lose_broker_3_and_elect(cluster)
    produce(cluster.bootstrap_servers, "orders", 21)
    _wait_for_checkpoints(cluster, 14, 1, 2)
    yield "broken"
    cluster.start_broker(3)
    cluster.wait_until_in_sync()
    _wait_for_checkpoints(cluster, 14, 1, 2, 3)
    yield "returned"
    yield "quiet"


def _move_controller_from_broker_3(cluster: Cluster) -> None:
    if isinstance(cluster, ZooKeeperCluster) and cluster.controller_id() == 3:
        cluster.move_controller(1, 2)
        _wait_for_one_controller(cluster, 1, 2, 3)


def _lose_broker_3_and_elect(cluster: Cluster) -> None:
    """A quorum's new leader lists only who has fetched from it, so there the election comes first."""
    if isinstance(cluster, ZooKeeperCluster):
        cluster.kill_broker(3)
        cluster.delete_controller()
        _wait_for_one_controller(cluster, 1, 2)
        return
    controller = cluster.controllers[101]
    controller.jvm.kill()
    cluster.start_controller(101)
    everybody = {1, 2, 3, 101}
    wait_until(
        "the brokers to fetch from the new leader",
        lambda: set(quorum_members(cluster.bootstrap_servers)) == everybody,
        [controller.jvm],
        60,
    )
    cluster.kill_broker(3)


def _wait_for_one_controller(cluster: ZooKeeperCluster, *broker_ids: int) -> None:
    nodes = [cluster.brokers[broker_id] for broker_id in broker_ids]
    wait_until(
        "the brokers to know the new controller",
        lambda: {controller_of(node.address) for node in nodes} == {cluster.controller_id()},
        [node.jvm for node in nodes],
        60,
    )


def _wait_for_checkpoints(cluster: Cluster, high_watermark: int, *broker_ids: int) -> None:
    """Brokers checkpoint every second."""
    expected = {f"orders {partition} {high_watermark}" for partition in range(3)}

    def are_written() -> bool:
        return all(expected <= _checkpointed(cluster, broker_id) for broker_id in broker_ids)

    wait_until("checkpoints", are_written, [cluster.brokers[broker_id].jvm for broker_id in broker_ids], 60)


def _checkpointed(cluster: Cluster, broker_id: int) -> set[str]:
    files = [path / "replication-offset-checkpoint" for path in cluster.log_dirs(broker_id)]
    return {line for file in files if file.exists() for line in file.read_text().splitlines()}
