"""What one source saw is compared with what another one saw where both tell the same, and every event says since when."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings, load_settings

CLUSTER = "orders"
FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}000Z" for minute in range(4))
TOPIC = "/brokers/topics/orders"
UNSEEN = ("/brokers/topics", "/controller_epoch")


@pytest.fixture
def both(settings: Settings) -> Settings:
    """A cluster that is read from ZooKeeper and over the Admin API."""
    path = settings.lake.parent / "both.yaml"
    sources = "zookeeper: {connect: '127.0.0.1:1'}, kafka: {bootstrap_servers: '127.0.0.1:1'}"
    path.write_text(f"lake: ./lake\nclusters: [{{name: {CLUSTER}, {sources}}}]\n")
    return load_settings(path)


def tree(controller: int, kraft_epoch: int, epoch: int, elected: int, leader: int) -> dict[str, Any]:
    """The znodes that a controller has elected a leader with; the minute it was itself elected in."""
    data = {
        "/controller": f'{{"version":2,"brokerid":{controller},"kraftControllerEpoch":{kraft_epoch}}}',
        "/controller_epoch": str(epoch),
        TOPIC: '{"version":2,"partitions":{"0":[1,2]}}',
        f"{TOPIC}/partitions/0/state": f'{{"controller_epoch":5,"leader":{leader},"leader_epoch":3,"isr":[1,2]}}',
    }
    zxids = dict.fromkeys(("czxid", "mzxid", "pzxid", "version", "cversion", "aversion"), 7)
    stat = zxids | dict.fromkeys(("ephemeral_owner", "data_length", "num_children"), 0)
    times = dict.fromkeys(("ctime", "mtime"), f"2026-11-21T13:{elected}:00+00:00")
    return {"znodes": [stat | times | {"path": p, "data": d, "encoding": "utf-8"} for p, d in data.items()]}


def api(leader: int, quorum: int | None = None) -> dict[str, Any]:
    """What the Admin API tells: who leads the partition, and the quorum."""
    partition = {"topic": "orders", "partition": 0, "leader": leader, "leader_epoch": 3}
    return {
        "admin_topics": [{"topic": "orders"}],
        "admin_partitions": [partition | {"replicas": [1, 2], "isr": [1, 2]}],
        "admin_reassignments": [],
        "quorum": [{"leader_id": quorum, "leader_epoch": 9}] if quorum else [],
    }


def test_nothing_is_compared_across_a_gap_or_a_change_of_authority_without_saying_so(
    both: Settings,
    spark: SparkSession,
    land_rows: Callable[..., None],
    ask: Callable[[str], list[tuple[Any, ...]]],
) -> None:
    told: dict[str, list[tuple[Any, ...]]] = {}
    for snapshot_id, znodes, unseen, answers in (
        (FIRST, tree(1, -1, 5, 10, leader=1), (), api(1)),
        # Another controller was elected while the tree was read.
        (SECOND, tree(2, -1, 6, 20, leader=1), UNSEEN, api(1)),
        # The API saw the partition in the second snapshot, but what the lake knows of it is what ZooKeeper told before.
        (THIRD, tree(3000, 1, 7, 30, leader=2), (), api(2, 3000)),
        (FOURTH, tree(3000, 1, 7, 30, leader=2), (), api(2, 3000)),
    ):
        hidden = [row for row in znodes["znodes"] if not row["path"].startswith(unseen or "-")]
        land_rows("zookeeper", snapshot_id, {"znodes": hidden}, unseen)
        land_rows("kafka", snapshot_id, answers)
        process(both, CLUSTER, snapshot_id, spark, expect=False)
        told[snapshot_id] = ask(
            "SELECT event, from_value, to_value, since_snapshot_id FROM events "
            f"WHERE snapshot_id = '{snapshot_id}' ORDER BY ALL"
        )
    followed = ask("SELECT authority FROM snapshots ORDER BY snapshot_id")
    assert followed == [("zookeeper",), ("zookeeper",), ("kafka",), ("kafka",)]
    assert told == {
        FIRST: [],
        SECOND: [("controller-moved", "1", "2", FIRST)],
        # The controller's epoch changed too, and the second snapshot did not see that.
        THIRD: [("controller-moved", "2", "3000", FIRST), ("leader-moved", "1", "2", FIRST)],
        FOURTH: [],
    }


def test_a_controller_whose_epoch_was_not_seen_was_not_elected_again_when_it_is_seen(
    both: Settings,
    spark: SparkSession,
    land_rows: Callable[..., None],
    ask: Callable[[str], list[tuple[Any, ...]]],
) -> None:
    for snapshot_id, znodes, unseen in (
        (FIRST, tree(1, -1, 5, 10, leader=1), ""),
        (SECOND, tree(2, -1, 6, 20, leader=1), "/controller_epoch"),
        (THIRD, tree(2, -1, 6, 20, leader=1), ""),
    ):
        hidden = [row for row in znodes["znodes"] if row["path"] != unseen]
        land_rows("zookeeper", snapshot_id, {"znodes": hidden}, (unseen,) if unseen else ())
        land_rows("kafka", snapshot_id, api(1))
        process(both, CLUSTER, snapshot_id, spark, expect=False)
    assert ask("SELECT controller_id, epoch FROM controllers") == [(2, 6)]
    assert ask("SELECT snapshot_id, event FROM events") == [(SECOND, "controller-moved")]
