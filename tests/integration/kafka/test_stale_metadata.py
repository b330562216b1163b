"""A real broker that does not hear the controller: that it is found, and that what its runbook names shows and mends it."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic
from tests.integration.kafka.watched import WatchedOverKafka
from tests.integration.kafka.ways import ClusterWithWays, lead, leader_by

VIEWS = "SELECT broker_id, leader, reference_leader FROM broker_views WHERE topic IS NOT NULL"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterWithWays]:
    with ClusterWithWays(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def test_a_broker_that_does_not_hear_the_controller_is_found_shown_and_mended(
    cluster: ClusterWithWays, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    watched = WatchedOverKafka(cluster, tmp_path_factory.mktemp("home"), spark)
    controller = cluster.controller_id()
    other, cut_off = (broker_id for broker_id in cluster.brokers if broker_id != controller)
    create_topic(cluster.bootstrap_servers, "sales", [[controller, other]])
    create_topic(cluster.bootstrap_servers, "alone", [[cut_off]])
    cluster.wait_for_brokers(cluster.brokers)
    watched.snapshot()
    assert watched.findings("stale-metadata") == {}

    with cluster.ways[cut_off].blocked():
        lead(cluster, controller, "sales", [other, controller])
        watched.snapshot()
        assert watched.findings("stale-metadata") == {f"broker {cut_off}": "warning"}
        assert watched.ask(VIEWS) == [(cut_off, controller, other)]
        watched.snapshot(max_brokers_asked=1)
        assert watched.findings("stale-metadata") == {f"broker {cut_off}": "warning"}, "it was not asked"
    address = cluster.brokers[cut_off].address
    wait_until(
        "the broker to hear of it",
        lambda: leader_by(address, "sales") == other,
        cluster.servers,
        60,
    )
    watched.snapshot()
    assert watched.findings("stale-metadata") == {}
    assert watched.ask(VIEWS) == []
    needed = watched.printed("stale-metadata", "varve whatif", subject=f"broker {cut_off}")
    assert "go offline: 1 partition" in needed, "so the page forbids to restart it"
    cluster.stop_broker(cut_off)
    assert leader_by(cluster.brokers[other].address, "alone") == -1
    cluster.start_broker(cut_off)
    assert leader_by(address, "sales") == other
