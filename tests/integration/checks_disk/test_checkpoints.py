"""ZooKeeper mode: checkpoint files that are lost or malformed, and how they come back."""

import os
import shutil
from pathlib import Path

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


def test_a_malformed_checkpoint_keeps_a_broker_from_starting_or_takes_its_log_dir_offline(
    disks: Disks,
) -> None:
    disks.cluster.stop_broker(2)
    kept, copied = disks.directory(2, "orders-0"), disks.directory(2, "orders-1")
    shutil.copy(kept / "leader-epoch-checkpoint", disks.home / "backup")
    malformed = [
        kept / "leader-epoch-checkpoint",
        copied / "leader-epoch-checkpoint",
        disks.directory(2, "alone-0").parent / HIGH_WATERMARKS,
    ]
    for file in malformed:
        file.write_text("0\n1\nno epoch\n")
    found = disks.findings()
    assert {subject for _, subject in found} == {"broker 2"}
    files = found["malformed-metadata", "broker 2"]["files"]
    assert len(files) == 3
    assert found["malformed-metadata", "broker 2"]["severity"] == "critical"
    causes = disks.ask(
        "SELECT cause_check_id, cause_subject FROM findings WHERE status = 'open' AND check_id = 'checkpoint-mismatch'"
    )
    assert set(causes) <= {("malformed-metadata", "broker 2")}

    assert "NumberFormatException" in disks.refusal_of(2)
    shutil.copy(disks.home / "backup", kept / "leader-epoch-checkpoint")
    shutil.move(copied, disks.home / "orders-1.malformed")
    goes_offline(disks, malformed[2])
    shutil.move(malformed[2], disks.home / HIGH_WATERMARKS)
    disks.back(2)
    disks.is_whole("orders", "alone")


def goes_offline(disks: Disks, file: Path) -> None:
    """Start broker 2, which names the file in its log, and stop it again."""
    jvm = disks.cluster.brokers[2].jvm
    jvm.start()
    wait_until(
        "the log dir to be offline", lambda: f"checkpoint file {file}" in jvm.log.read_text(), [jvm], 60
    )
    disks.cluster.wait_for_brokers([1, 2, 3])
    disks.cluster.stop_broker(2)


def grown_old(disks: Disks) -> None:
    """Brokers write high watermarks within a minute, so that younger replicas are not missed."""
    for path in disks.cluster.log_dirs(2):
        for file in path.glob("*/partition.metadata"):
            os.utime(file, (file.stat().st_mtime - 60,) * 2)


def all_written(disks: Disks) -> bool:
    files = [path / HIGH_WATERMARKS for path in disks.cluster.log_dirs(2)]
    text = "".join(file.read_text() for file in files if file.exists())
    return all(line in text for line in ("orders 0 20", "orders 1 20", "alone 0 40"))
