"""Whom each broker takes for the leaders, on brokers of which one does not hear the controller any more."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap, GapReason
from tests.integration.kafka.ways import ClusterWithWays, lead, leader_by

Rows = dict[str, list[dict[str, Any]]]
Land = Callable[[Settings], tuple[Rows, list[Gap]]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterWithWays]:
    with ClusterWithWays(tmp_path_factory.mktemp("ways")) as cluster:
        yield cluster


def settings_of(cluster: ZooKeeperCluster | KRaftCluster, **changed: Any) -> Settings:
    return Settings(bootstrap_servers=cluster.bootstrap_servers, **changed)


def test_brokers_that_agree_have_one_row_each(kraft_cluster: KRaftCluster, land: Land) -> None:
    create_topic(kraft_cluster.bootstrap_servers, "agreed", [[1, 2], [2, 1]])
    tables, gaps = land(settings_of(kraft_cluster))
    assert gaps == []
    partitions = len(tables["admin_partitions"])
    assert partitions >= 2
    assert [tuple(row.values()) for row in tables["broker_views"]] == [
        (1, None, None, None, None, 1, None, None, partitions, 0),
        (2, None, None, None, None, 1, None, None, partitions, 0),
    ]


def test_brokers_beyond_those_that_the_settings_let_it_ask_are_gaps(
    kraft_cluster: KRaftCluster, land: Land
) -> None:
    for most, asked, not_asked in ((0, [], [1, 2]), (1, [1], [2]), (2, [1, 2], [])):
        tables, gaps = land(settings_of(kraft_cluster, max_brokers_asked=most))
        assert [row["broker_id"] for row in tables["broker_views"]] == asked
        assert [(gap.scope, gap.reason) for gap in gaps] == [
            (f"/views/{broker_id}", GapReason.NOT_COLLECTED) for broker_id in not_asked
        ]


def test_a_broker_that_does_not_hear_the_controller_differs_until_it_does(
    cluster: ClusterWithWays, land: Land
) -> None:
    controller = cluster.controller_id()
    other, cut_off = (broker_id for broker_id in cluster.brokers if broker_id != controller)
    create_topic(cluster.bootstrap_servers, "sales", [[controller, other]])
    create_topic(cluster.bootstrap_servers, "quiet", [[controller, other]])
    cluster.wait_for_brokers(cluster.brokers)
    with cluster.ways[cut_off].blocked():
        lead(cluster, controller, "sales", [other, controller])
        tables, gaps = land(settings_of(cluster))
    assert gaps == []
    asked = {row["broker_id"]: row for row in tables["broker_views"] if row["topic"] is None}
    assert {row["reference_id"] for row in asked.values()} == {controller}
    assert {broker_id: (row["compared"], row["differing"]) for broker_id, row in asked.items()} == {
        controller: (2, 0),
        other: (2, 0),
        cut_off: (2, 1),
    }
    # The new order and the election both raised the epoch.
    assert [tuple(row.values()) for row in tables["broker_views"] if row["topic"]] == [
        (cut_off, "sales", 0, controller, 0, controller, other, 2, None, None)
    ]
    heard = cluster.brokers[cut_off].address
    wait_until(
        "the broker to hear of it",
        lambda: leader_by(heard, "sales") == other,
        cluster.servers,
        60,
    )
    tables, _ = land(settings_of(cluster))
    assert {row["differing"] for row in tables["broker_views"]} == {0}
