"""ZooKeeper mode: a partition whose state was set back."""

import json
import re

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.disks import Disks

pytestmark = pytest.mark.parametrize("disks", ["zookeeper"], indirect=True)
STATE = "/brokers/topics/orders/partitions/0/state"


def test_a_partition_whose_state_was_set_back_is_behind_its_replicas(disks: Disks) -> None:
    cluster = disks.cluster
    assert isinstance(cluster, ZooKeeperCluster)
    cluster.stop_broker(1)
    cluster.start_broker(1)
    cluster.wait_until_in_sync()
    disks.look()
    with cluster.client() as client:
        data, stat = client.get(STATE)
        before = json.loads(data)
        assert before["leader_epoch"] > 0
        client.set(STATE, json.dumps(before | {"leader_epoch": 0}).encode(), stat.version)
    found = disks.findings()
    assert set(found) == {("replica-ahead", "orders-0")}
    assert found["replica-ahead", "orders-0"]["severity"] == "critical"
    assert {each["leader_epoch"] for each in found["replica-ahead", "orders-0"]["replicas"]} == {
        before["leader_epoch"]
    }
    assert "Leader: " in disks.printed("replica-ahead", "--describe --topic", subject="orders-0")
    history = disks.printed("replica-ahead", "varve history partition", subject="orders-0")
    assert str(before["leader_epoch"]) in history
    shown = disks.printed("replica-ahead", "get -s", subject="orders-0")
    (version,) = re.findall(r"dataVersion = (\d+)", shown)
    mended = json.dumps(before | {"leader_epoch": before["leader_epoch"] + 1})
    stale = disks.run("replica-ahead", "set -v", {"VERSION": "0", "STATE": mended}, subject="orders-0")
    assert "version No is not valid" in stale.stdout + stale.stderr
    disks.printed("replica-ahead", "set -v", {"VERSION": version, "STATE": mended}, subject="orders-0")
    gate = disks.run("replica-ahead", "varve gate controller-move")
    assert gate.returncode == 0, gate.stdout
    epoch = controller_epoch(cluster)
    disks.printed("replica-ahead", "delete /controller")
    wait_until("another controller", lambda: controller_epoch(cluster) > epoch, cluster.servers, 60)
    cluster.stop_broker(2)
    disks.back(2)
    disks.is_whole("orders")


def controller_epoch(cluster: ZooKeeperCluster) -> int:
    with cluster.client() as client:
        return int(client.get("/controller_epoch")[0])
