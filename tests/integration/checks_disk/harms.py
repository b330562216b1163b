"""What keeps a broker from starting: how it is brought about on the disks of broker 2, and mended as its page says."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.integration.checks_disk.disks import Disks

Mend = Callable[[], object]


def empty_topic_id(disks: Disks) -> Mend:
    """Nothing is in the partition.metadata of orders-0; another replica of the topic has the same."""
    emptied = disks.directory(2, "orders-0")
    (emptied / "partition.metadata").write_bytes(b"")
    return lambda: shutil.copy(disks.directory(1, "orders-1") / "partition.metadata", emptied)


def no_topic_id(disks: Disks) -> Mend:
    """What stands in the partition.metadata of orders-1 is no id."""
    broken = disks.directory(2, "orders-1")
    (broken / "partition.metadata").write_text("version: 0\ntopic_id: not an id")
    return lambda: shutil.copy(disks.directory(1, "orders-0") / "partition.metadata", broken)


def foreign_directory(disks: Disks) -> Mend:
    """The log dir is the root of a file system."""
    foreign = disks.cluster.log_dirs(2)[0] / "lost+found"
    foreign.mkdir()
    return lambda: shutil.move(foreign, disks.home / "lost+found")


def second_directory(disks: Disks) -> Mend:
    """quiet-0 lies in both log dirs."""
    used = disks.directory(2, "quiet-0")
    copy = other_log_dir(disks, used) / used.name
    shutil.copytree(used, copy)
    return lambda: shutil.move(copy, copy.parents[1] / "quiet-0.aside")


def disk_of_broker_1(disks: Disks) -> Mend:
    """The first log dir says that it is of broker 1."""
    return _changed(disks.cluster.log_dirs(2)[0], r"(broker|node)\.id=2", r"\1.id=1")


def disk_of_another_cluster(disks: Disks) -> Mend:
    """The second log dir says that it is of another cluster."""
    return _changed(disks.cluster.log_dirs(2)[1], r"cluster\.id=.*", "cluster.id=AAAAAAAAAAAAAAAAAAAAAQ")


def cloned_disk(disks: Disks) -> Mend:
    """The second log dir has the directory id of the first."""
    first, second = disks.cluster.log_dirs(2)
    (known,) = re.findall("directory.id=.*", (first / "meta.properties").read_text())
    return _changed(second, "directory.id=.*", known)


def other_log_dir(disks: Disks, directory: Path) -> Path:
    """The log dir of broker 2 in which this directory of it is not."""
    (other,) = [path for path in disks.cluster.log_dirs(2) if path != directory.parent]
    return other


def _changed(log_dir: Path, pattern: str, other: str) -> Mend:
    """Change meta.properties, of which there is a backup."""
    file = log_dir / "meta.properties"
    kept = file.read_text()
    file.write_text(re.sub(pattern, other, kept))
    return lambda: file.write_text(kept)
