"""What happens between two snapshots of a KRaft cluster of Kafka 3.9, and every event that it makes."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, quorum_members
from jobs.sources.log_dirs.formats.metadata_checkpoint import parse_metadata_checkpoint
from tests.integration.checkpointing import CheckpointingCluster

EVERYBODY = {1: "observer", 2: "observer", 101: "voter", 102: "voter"}
CANDIDACIES = 3


@pytest.fixture(scope="module")
def watched(spark: SparkSession, watch: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two voters, and two brokers with topic `orders`."""
    with CheckpointingCluster(tmp_path_factory.mktemp("cluster"), version="3.9.1") as cluster:
        watched = watch(cluster, "kafka", "log_dirs")
        cluster.start_controller(102)
        cluster.add_controller(102)
        create_topic(cluster.bootstrap_servers, "orders", [[2, 1]])
        cluster.wait_until_in_sync()
        watched.look("healthy")
        _restart_broker_2(cluster)
        watched.look("restarted")
        _leave_the_quorum_without_its_majority(cluster)
        watched.look("candidacies")
        cluster.stop_broker(2)
        watched.look("stopped")
    watched.process(spark)
    return watched


def _restart_broker_2(cluster: CheckpointingCluster) -> None:
    def incarnation() -> Any:
        return parse_metadata_checkpoint(cluster.newest_checkpoint()).brokers[2].incarnation_id

    before = incarnation()
    cluster.stop_broker(2)
    with cluster.brokers[2].files.properties.open("a", encoding="utf-8") as properties:
        properties.write("leader.imbalance.per.broker.percentage=15\n")
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    wait_until("a newer checkpoint", lambda: incarnation() != before, cluster.servers, 60)


def _leave_the_quorum_without_its_majority(cluster: CheckpointingCluster) -> None:
    """Voter 102 is away until voter 101 was a candidate in vain for a few times."""
    first = _epoch(cluster.log_dirs(101)[0])
    cluster.stop_controller(102)
    wait_until(
        "candidacies in vain",
        lambda: _epoch(cluster.log_dirs(101)[0]) >= first + CANDIDACIES,
        [cluster.controllers[101].jvm],
        120,
    )
    cluster.controllers[102].jvm.start()
    everybody = cluster.servers
    wait_until("a majority", lambda: quorum_members(cluster.bootstrap_servers) == EVERYBODY, everybody, 120)
    cluster.wait_for_brokers([1, 2])


def _epoch(log_dir: Path) -> int:
    state = (log_dir / "__cluster_metadata-0" / "quorum-state").read_text()
    return int(json.loads(state)["leaderEpoch"])


def test_a_restart_between_two_snapshots_is_a_bounce_by_the_checkpoints_incarnation_and_may_bring_a_setting(
    watched: Any,
) -> None:
    assert watched.events("restarted") == {
        ("broker-bounced", "broker 2", None),
        ("broker-setting-changed", "broker 2", None),
        ("leader-moved", "orders-0", "broker-bounced"),
    }
    values = "SELECT from_value, to_value FROM events WHERE event = 'broker-setting-changed'"
    percentage = "leader.imbalance.per.broker.percentage="
    assert watched.ask(values) == [(f"{percentage}10", f"{percentage}15")]


def test_candidacies_that_nobody_won_are_no_missed_elections(watched: Any) -> None:
    counted = ("candidacies-counted", "controller", None)
    assert watched.events("candidacies") in (
        {counted, ("controller-reelected", "controller", None)},
        {counted, ("controller-moved", "controller", None), ("quorum-leader-moved", "quorum", None)},
    )
    said = "SELECT DISTINCT split_part(from_value, ' ', 1), split_part(to_value, ' ', 1) FROM events "
    assert watched.ask(said + "WHERE event = 'candidacies-counted'") == [("epoch", "epoch")]


def test_a_stopped_broker_was_fenced_and_has_not_left(watched: Any) -> None:
    assert watched.events("stopped") == {
        ("broker-fenced", "broker 2", None),
        ("isr-shrank", "orders-0", "broker-fenced"),
    }
