"""ZooKeeper mode: what a broker keeps that was reassigned while it was down."""

import json
import shutil

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.topics import partitions_of
from tests.integration.checks_disk.disks import Disks

pytestmark = pytest.mark.parametrize("disks", ["zookeeper"], indirect=True)


def test_what_was_reassigned_while_its_broker_was_down_stays_and_may_be_the_only_copy(
    disks: Disks,
) -> None:
    disks.topic("left", [[1, 2]])
    disks.topic("away", [[1, 2]])
    disks.cluster.stop_broker(2)
    reassign(disks, {"left": [1], "away": [3]})
    disks.look()
    left, away = disks.directory(2, "left-0"), disks.directory(2, "away-0")
    unassigned = sorted([str(left), str(away)])
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "info", "not_assigned": unassigned}
    }
    disks.cluster.stop_broker(3)
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {
            "severity": "critical",
            "not_assigned": unassigned,
            "of_offline_partitions": [str(away)],
        }
    }
    assert (away / "00000000000000000000.log").stat().st_size > 0
    disks.cluster.start_broker(3)
    disks.cluster.start_broker(2)
    disks.cluster.wait_until_in_sync()
    assert left.is_dir()
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "info", "not_assigned": unassigned}
    }
    disks.cluster.stop_broker(2)
    for each in (left, away):
        shutil.move(each, disks.home / f"{each.name}.aside")
    disks.look()
    told = disks.findings()
    lines = sorted(
        str(path / name)
        for path in disks.cluster.log_dirs(2)
        for name in ("left-0", "away-0")
        if f"{name[:-2]} 0" in (path / "recovery-point-offset-checkpoint").read_text()
    )
    assert told == {("checkpoint-mismatch", "broker 2"): {"severity": "info", "without_directory": lines}}
    disks.back(2)
    wait_until(
        "the lines to go",
        lambda: (
            not any(
                word in (path / "recovery-point-offset-checkpoint").read_text()
                for path in disks.cluster.log_dirs(2)
                for word in ("left 0", "away 0")
            )
        ),
        disks.cluster.servers,
        90,
    )
    disks.is_whole("left", "away", "orders")


def reassign(disks: Disks, replicas: dict[str, list[int]]) -> None:
    """Give partition 0 of these topics other replicas, and wait until they are the ISR."""
    plan = disks.home / "plan.json"
    wanted = [{"topic": topic, "partition": 0, "replicas": each} for topic, each in replicas.items()]
    plan.write_text(json.dumps({"version": 1, "partitions": wanted}))
    disks.tool("kafka-reassign-partitions.sh", "--reassignment-json-file", str(plan), "--execute")
    address = disks.cluster.brokers[1].address

    def is_done() -> bool:
        now = {topic: partitions_of(address, topic)[0] for topic in replicas}
        return all(
            now[topic]["replica_nodes"] == each and now[topic]["isr_nodes"] == each
            for topic, each in replicas.items()
        )

    wait_until("the reassignment", is_done, [disks.cluster.brokers[1].jvm], 60)
