"""Kafka 2.8 writes ids to disk late: where none is there yet, the next election harms nobody, and nobody is alarmed."""

from pathlib import Path
from typing import Any

import pytest

from jobs.lab.distribution import add_partitions_with_old_tool
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.topic_ids.conftest import Lab

pytestmark = pytest.mark.versions


def test_an_id_that_no_disk_has_yet_is_lost_without_harm(spark: Any, varve_here: Any, tmp_path: Path) -> None:
    assert spark
    with ZooKeeperCluster(tmp_path / "cluster", brokers=2, version="2.8.2") as cluster:
        create_topic(cluster.bootstrap_servers, "young", [[1, 2], [2, 1]])
        cluster.wait_until_in_sync()
        lab = Lab(tmp_path, cluster, varve_here)
        lab.snapshot()
        assert lab.ask("SELECT DISTINCT topic_id FROM disk_replicas WHERE topic = 'young'") == [
            {"topic_id": None}
        ]
        before = cluster.topic_id("young")
        add_partitions_with_old_tool(cluster.zookeeper_connect, "young", 3)
        cluster.wait_until_in_sync()
        lab.snapshot()
        assert lab.events() == {("topic-id-lost", "young")}
        assert lab.findings() == {("topic-id-latent", "young", "info")}
        assert lab.why_not_elect() == ""

        cluster.delete_controller()
        minted = cluster.topic_id("young")
        assert minted not in (None, before)
        for broker_id in cluster.brokers:
            cluster.stop_broker(broker_id)
            cluster.start_broker(broker_id)
            cluster.wait_until_in_sync()
        produce(cluster.bootstrap_servers, "young")
        lab.snapshot()
        assert lab.findings() == set()
        on_disks = (
            "SELECT DISTINCT topic_id FROM disk_replicas WHERE topic = 'young' AND topic_id IS NOT NULL"
        )
        assert lab.ask(on_disks) == [{"topic_id": minted}]
