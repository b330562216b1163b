"""KRaft: what a broker sets aside when it starts, and what is lost by that when nobody looked before."""

import shutil
from pathlib import Path

import pytest

from jobs.lab.jvm import wait_until
from tests.integration.checks_disk.disks import Disks

pytestmark = pytest.mark.parametrize("disks", ["kraft"], indirect=True)


def set_aside(disks: Disks, name: str) -> Path:
    (found,) = [path for log_dir in disks.cluster.log_dirs(2) for path in log_dir.glob(f"{name}.*-stray")]
    return found


def test_a_topic_that_was_deleted_while_a_broker_was_down_is_set_aside_when_it_starts(
    disks: Disks,
) -> None:
    disks.topic("gone", [[1, 2]])
    disks.cluster.stop_broker(2)
    disks.delete("gone")
    disks.look()
    left = disks.directory(2, "gone-0")
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "info", "not_assigned": [str(left)]}
    }
    disks.back(2)
    aside = set_aside(disks, "gone-0")
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "info", "set_aside": [str(aside)]}
    }
    disks.cluster.stop_broker(2)
    shutil.move(aside, disks.home / "gone-0.aside")
    disks.back(2)
    disks.is_whole("orders", "alone")


def test_replicas_without_their_topic_id_are_found_before_they_are_set_aside_with_their_data(
    disks: Disks,
) -> None:
    disks.cluster.stop_broker(2)
    mended, _, alone = bare = [disks.directory(2, name) for name in ("orders-0", "orders-1", "alone-0")]
    for each in bare:
        (each / "partition.metadata").unlink()
    disks.look()
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "warning", "without_topic_id": sorted(map(str, bare))}
    }
    other = disks.directory(1, "orders-1") / "partition.metadata"
    ids = disks.printed("stray-replica", "SELECT topic, topic_id", subject="broker 2")
    assert other.read_text().split()[-1] in ids
    shutil.copy(other, mended)
    disks.back(2)
    assert disks.directory(2, "orders-0") == mended
    assert disks.records("orders") == 40, "one is whole, the other was copied anew"
    assert disks.records("alone") == 0, "what nobody else had is set aside"
    gone = {name: set_aside(disks, name) for name in ("orders-1", "alone-0")}
    assert disks.findings() == {
        ("stray-replica", "broker 2"): {"severity": "info", "set_aside": sorted(map(str, gone.values()))}
    }

    disks.cluster.stop_broker(2)
    empty = disks.directory(2, "alone-0")
    shutil.copy(empty / "partition.metadata", gone["alone-0"])
    shutil.move(empty, disks.home / "alone-0.empty")
    shutil.move(gone["orders-1"], disks.home / "orders-1.aside")
    shutil.copytree(gone["alone-0"], alone)
    disks.back(2)
    # Its time index was not closed and ends in zeros: all its records are older than any retention.
    wait_until("retention", lambda: disks.records("alone") == 0, disks.cluster.servers, 60)

    disks.cluster.stop_broker(2)
    shutil.rmtree(disks.directory(2, "alone-0"))
    disks.put_back(gone["alone-0"], alone)
    disks.back(2)
    disks.is_whole("orders", "alone")
    disks.cluster.stop_broker(2)
    disks.back(2)
    disks.is_whole("orders", "alone")
