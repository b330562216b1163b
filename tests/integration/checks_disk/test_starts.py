"""What keeps a broker from starting: found while it is stopped, seen to keep it, and mended as its page says."""

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.disks import FIRST_SEGMENT, Disks
from tests.integration.checks_disk.harms import (
    Mend,
    cloned_disk,
    disk_of_another_cluster,
    disk_of_broker_1,
    empty_topic_id,
    foreign_directory,
    no_topic_id,
    second_directory,
)

REFUSALS: dict[Callable[[Disks], Mend], str] = {
    empty_topic_id: '"this.text" is null',
    no_topic_id: "Illegal base64 character",
    foreign_directory: "Found directory",
    second_directory: "Duplicate log directories",
    disk_of_another_cluster: "Invalid cluster.id",
    disk_of_broker_1: "Stored node id 1 doesn't match previous node id 2",
    cloned_disk: "uplicate",
}


def test_what_keeps_a_broker_from_starting_is_found_before_and_mended_as_its_page_says(disks: Disks) -> None:
    used = disks.directory(2, "quiet-0")
    mends = [second_directory(disks)]
    asked = disks.printed("duplicate-replica", "--topic-list", subject="quiet-0 on broker 2")
    assert {each["logDir"] for each in log_dirs(asked) if each["partitions"]} == {str(used.parent)}
    disks.cluster.stop_broker(2)
    harms = [empty_topic_id, no_topic_id, foreign_directory, disk_of_another_cluster, disk_of_broker_1]
    has_directory_ids = not isinstance(disks.cluster, ZooKeeperCluster)
    mends += [harm(disks) for harm in [*harms, *[cloned_disk] * has_directory_ids]]
    disks.look()
    first, second = disks.cluster.log_dirs(2)
    found = disks.findings()
    assert set(found) == {
        ("malformed-metadata", "broker 2"),
        ("duplicate-replica", "quiet-0 on broker 2"),
        ("metadata-properties-clash", "broker 2"),
    }
    assert {said["severity"] for said in found.values()} == {"critical"}
    files = found["malformed-metadata", "broker 2"]["files"]
    assert [file.partition(": ")[0] for file in files] == sorted(
        [str(first / "lost+found"), *(str(disks.directory(2, name)) for name in ("orders-0", "orders-1"))]
    )
    assert found["duplicate-replica", "quiet-0 on broker 2"]["directories"] == [
        str(first / used.name),
        str(second / used.name),
    ]
    clashes = found["metadata-properties-clash", "broker 2"]["clashes"]
    assert {each.partition(": ")[2].split(" ")[0] for each in clashes} == {
        "node",
        "cluster.id",
        *["directory.id"] * has_directory_ids,
    }
    for mend in reversed(mends):
        mend()
    for harm, words in REFUSALS.items():
        if harm is not cloned_disk or has_directory_ids:
            mend = harm(disks)
            assert words in disks.refusal_of(2), harm.__name__
            mend()
    disks.after_refusal(2)
    disks.back(2)
    disks.is_whole("orders", "alone", "quiet")


@pytest.mark.parametrize("disks", ["zookeeper"], indirect=True)
def test_a_broker_that_refused_to_start_says_that_it_closed_what_it_did_not_and_then_deletes_it(
    disks: Disks,
) -> None:
    disks.cluster.stop_broker(2)
    mend, mended = empty_topic_id(disks), disks.directory(2, "orders-0")
    disks.refusal_of(2)
    mend()
    assert (mended.parent / ".kafka_cleanshutdown").exists()
    disks.back(2)
    wait_until("retention", lambda: not (mended / FIRST_SEGMENT).exists(), disks.cluster.servers, 60)

    disks.cluster.stop_broker(2)
    shutil.rmtree(mended)
    disks.back(2)
    disks.is_whole("orders", "alone", "quiet")


def log_dirs(told: str) -> list[dict[str, Any]]:
    """What kafka-log-dirs.sh says of the only broker that was asked."""
    described: list[dict[str, Any]] = json.loads(told.splitlines()[-1])["brokers"][0]["logDirs"]
    return described
