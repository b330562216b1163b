"""A real broker that does not hear the controller: that it is found, and that what its runbook names shows and mends it."""

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, partitions_of
from tests.integration.kafka.watched import Watched
from tests.integration.kafka.ways import ClusterWithWays, lead


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterWithWays]:
    with ClusterWithWays(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def test_a_broker_that_does_not_hear_the_controller_is_found_shown_and_mended(
    cluster: ClusterWithWays, spark: SparkSession, sql: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    watched = Watched(cluster, tmp_path_factory.mktemp("home"), spark, sql)
    controller = cluster.controller_id()
    other, cut_off = (broker_id for broker_id in cluster.brokers if broker_id != controller)
    create_topic(cluster.bootstrap_servers, "sales", [[controller, other]])
    cluster.wait_for_brokers(cluster.brokers)
    watched.snapshot()
    assert watched.findings("stale-metadata") == {}

    def says(broker_id: int) -> str:
        address = cluster.brokers[broker_id].address
        return watched.run("kafka-topics.sh", "--describe", "--topic", "sales", servers=address)

    with cluster.ways[cut_off].blocked():
        lead(cluster, "sales", [other, controller])
        watched.snapshot()
        assert watched.findings("stale-metadata") == {f"broker {cut_off}": "warning"}
        assert f"Leader: {controller}" in says(cut_off)
        assert f"Leader: {other}" in says(controller)
    address = cluster.brokers[cut_off].address
    wait_until(
        "the broker to hear of it",
        lambda: partitions_of(address, "sales")[0]["leader_id"] == other,
        cluster.servers,
        60,
    )
    assert f"Leader: {other}" in says(cut_off)
    watched.snapshot()
    assert watched.findings("stale-metadata") == {}
    for needed in ("--at-min-isr-partitions", "--under-min-isr-partitions"):
        assert watched.run("kafka-topics.sh", "--describe", needed).strip() == ""
    cluster.stop_broker(cut_off)
    cluster.start_broker(cut_off)
    assert f"Leader: {other}" in says(cut_off)
