"""A move between log dirs and a deletion that do not end, and what is there when only the target of a move is."""

import json
import shutil

from jobs.lab.jvm import wait_until
from tests.integration.checks_disk.disks import Disks
from tests.integration.checks_disk.harms import other_log_dir

SLOW_MOVES, SLOW_DELETIONS = (
    "replica.alter.log.dirs.io.max.bytes.per.second=1",
    "log.segment.delete.delay.ms=600000",
)
OF_BROKER_2 = ("--entity-type", "brokers", "--entity-name", "2")


def hold_up(disks: Disks, *settings: str) -> None:
    """From now on broker 2, which says so itself, ends no moves, or no deletions."""

    def are_heard() -> bool:
        told = disks.tool("kafka-configs.sh", *OF_BROKER_2, "--describe")
        return all(each in told for each in settings)

    disks.tool("kafka-configs.sh", *OF_BROKER_2, "--alter", "--add-config", ",".join(settings))
    wait_until("the settings of broker 2", are_heard, disks.cluster.servers, 60)


def let_go(disks: Disks, *settings: str) -> None:
    keys = ",".join(each.partition("=")[0] for each in settings)
    disks.tool("kafka-configs.sh", *OF_BROKER_2, "--alter", "--delete-config", keys)


def move(disks: Disks, name: str) -> str:
    """Begin to move a replica to the other log dir of broker 2; the directory that it moves to."""
    topic, _, partition = name.rpartition("-")
    target = other_log_dir(disks, disks.directory(2, name))
    replicas = [2] if topic == "alone" else [1, 2]
    where = ["any"] * (len(replicas) - 1) + [str(target)]
    wanted = {"topic": topic, "partition": int(partition), "replicas": replicas, "log_dirs": where}
    plan = disks.home / "move.json"
    plan.write_text(json.dumps({"version": 1, "partitions": [wanted]}))
    disks.tool("kafka-reassign-partitions.sh", "--reassignment-json-file", str(plan), "--execute")
    wait_until("the move", lambda: any(target.glob(f"{name}.*-future")), disks.cluster.servers, 60)
    (found,) = target.glob(f"{name}.*-future")
    return str(found)


def marked(disks: Disks) -> list[str]:
    """The directories of broker 2 that are to go or to come."""
    every = [path for log_dir in disks.cluster.log_dirs(2) for path in log_dir.glob("*-*.*-*")]
    return sorted(str(path) for path in every if path.name.endswith(("-future", "-delete")))


def test_a_move_and_a_deletion_that_do_not_end_end_with_a_restart(disks: Disks) -> None:
    disks.topic("gone", [[1, 2]])
    hold_up(disks, SLOW_MOVES, SLOW_DELETIONS)
    future = move(disks, "quiet-0")
    disks.delete("gone")
    disks.look()
    (deleted,) = [each for each in marked(disks) if each.endswith("-delete")]
    assert disks.findings() == {
        ("stuck-directory", "broker 2"): {"severity": "info", "future": [future], "delete": [deleted]}
    }
    told = json.loads(disks.printed("stuck-directory", "--describe", subject="broker 2").splitlines()[-1])
    moving = [
        each
        for log_dir in told["brokers"][0]["logDirs"]
        for each in log_dir["partitions"]
        if each["isFuture"]
    ]
    assert [each["partition"] for each in moving] == ["quiet-0"]
    assert moving[0]["offsetLag"] > 0
    let_go(disks, SLOW_MOVES, SLOW_DELETIONS)
    disks.cluster.stop_broker(2)
    disks.back(2)
    wait_until("an end", lambda: marked(disks) == [], disks.cluster.servers, 60)
    disks.is_whole("quiet")


def test_where_only_the_target_of_a_move_is_left_the_broker_would_begin_with_nothing(disks: Disks) -> None:
    hold_up(disks, SLOW_MOVES)
    future = move(disks, "alone-0")
    disks.cluster.stop_broker(2)
    alone, aside = disks.directory(2, "alone-0"), disks.home / "alone-0.aside"
    shutil.move(alone, aside)
    disks.look()
    found = disks.findings()
    assert set(found) == {("stuck-directory", "broker 2"), ("missing-replica-directory", "broker 2")}
    assert found["stuck-directory", "broker 2"]["severity"] == "warning"
    assert found["stuck-directory", "broker 2"]["future_alone"] == [future]
    assert found["missing-replica-directory", "broker 2"]["only_in_sync"] == ["alone-0"]
    disks.back(2)
    assert disks.records("alone") == 0, "what the pages warn of"
    disks.cluster.stop_broker(2)
    shutil.rmtree(disks.directory(2, "alone-0"))
    shutil.move(aside, alone)
    disks.back(2)
    let_go(disks, SLOW_MOVES)
    wait_until("an end", lambda: marked(disks) == [], disks.cluster.servers, 60)
    disks.is_whole("alone")
