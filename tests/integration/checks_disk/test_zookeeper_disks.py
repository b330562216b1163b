"""ZooKeeper mode: a state of a disk is brought about, found, mended as its page says, and seen resolved."""

import shutil

import pytest

from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.watched import Watched

Disks = Watched[ZooKeeperCluster]


@pytest.fixture
def watched(zookeeper_disks: Disks) -> Disks:
    return zookeeper_disks


def test_a_healthy_cluster_has_no_finding(watched: Disks) -> None:
    assert watched.found() == {}
    assert watched.found() == {}


def test_a_malformed_partition_metadata_keeps_a_broker_from_starting(watched: Disks) -> None:
    cluster = watched.cluster
    cluster.stop_broker(2)
    broken = watched.directory(2, "orders-0")
    (broken / "partition.metadata").write_bytes(b"")
    found = watched.found()
    assert list(found) == [("malformed-metadata", "broker 2")]
    assert found["malformed-metadata", "broker 2"]["files"] == [
        f"{broken}: partition.metadata: it has fewer than two lines"
    ]
    watched.refusal_of(2)
    shutil.copy(watched.directory(1, "orders-1") / "partition.metadata", broken)
    watched.back(2)
    assert watched.found() == {}
