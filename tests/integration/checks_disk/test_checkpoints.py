"""ZooKeeper mode: checkpoint files that are lost, and how they come back."""

import os

import pytest

from jobs.lab.jvm import wait_until
from tests.integration.checks_disk.disks import Disks

pytestmark = pytest.mark.parametrize("disks", ["zookeeper"], indirect=True)
HIGH_WATERMARKS = "replication-offset-checkpoint"


def test_lost_high_watermarks_come_back_and_only_what_lost_its_epochs_too_is_copied_anew(
    disks: Disks,
) -> None:
    disks.cluster.stop_broker(2)
    grown_old(disks)
    disks.look()
    for path in disks.cluster.log_dirs(2):
        (path / HIGH_WATERMARKS).unlink()
    for name in ("orders-1", "alone-0"):
        (disks.directory(2, name) / "leader-epoch-checkpoint").unlink()
    disks.look()
    found = disks.findings()
    assert set(found) == {("checkpoint-mismatch", "broker 2")}
    told = found["checkpoint-mismatch", "broker 2"]
    assert told["severity"] == "warning"
    assert told["would_be_cut"] == sorted(str(disks.directory(2, name)) for name in ("orders-1", "alone-0"))
    assert str(disks.directory(2, "orders-0")) in told["without_high_watermark"]
    disks.back(2)
    wait_until("high watermarks", lambda: all_written(disks), disks.cluster.servers, 60)
    disks.is_whole("orders", "alone")


def grown_old(disks: Disks) -> None:
    """Brokers write high watermarks within a minute, so that younger replicas are not missed."""
    for path in disks.cluster.log_dirs(2):
        for file in path.glob("*/partition.metadata"):
            os.utime(file, (file.stat().st_mtime - 60,) * 2)


def all_written(disks: Disks) -> bool:
    files = [path / HIGH_WATERMARKS for path in disks.cluster.log_dirs(2)]
    text = "".join(file.read_text() for file in files if file.exists())
    return all(line in text for line in ("orders 0 20", "orders 1 20", "alone 0 40"))
