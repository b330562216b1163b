"""From a server's data folder to its tree: the newest whole snapshot and the transactions after it.

What `org.apache.zookeeper.server.persistence.FileTxnSnapLog.restore` does when a server starts. A snapshot is written
while the tree moves, so only the transactions written meanwhile, all of them, make it what the tree was at one moment:
a log may have been copied before the snapshot was at its end, and a deletion that it lacks shows nowhere.
"""

import gzip
import logging
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonpath

from jobs.bundles.bundle import MAX_FILE_BYTES, Bundle
from jobs.bundles.zookeeper.data_tree import DataTree
from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.replay import apply
from jobs.bundles.zookeeper.snapshot_file import SnapshotFile, read_snapshot
from jobs.bundles.zookeeper.transactions import read_log
from jobs.errors import NotReadError
from schemas.snapshots import GapReason

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DataFolder:
    """Where in a bundle a server's snapshots and transaction logs are."""

    snapshots: Sequence[str]
    logs: Sequence[str]


@dataclass(frozen=True)
class Restored:
    """A tree and the last transaction that was applied to it; `is_exact`: it is proven to be the tree of that moment."""

    tree: DataTree
    zxid: int
    is_exact: bool


def data_folder(snapshots: Sequence[str], logs: Sequence[str]) -> DataFolder:
    """The server that was written to last, where a bundle holds several of an ensemble.

    Its logs are beside its snapshots, or in a folder of their own (`dataLogDir`): the nearest by its path.
    """
    newest = max(snapshots, key=zxid_of)
    home = newest.rpartition("/")[0]
    log_homes = {path.rpartition("/")[0] for path in logs}
    log_home = max(sorted(log_homes), key=lambda other: len(commonpath([home, other])), default="")
    return DataFolder(
        [path for path in snapshots if path.rpartition("/")[0] == home],
        [path for path in logs if path.rpartition("/")[0] == log_home],
    )


def zxid_of(path: str) -> int:
    """The zxid in the name of a snapshot or a log."""
    return int(path.rpartition("/")[2].split(".")[1], 16)


def restore(bundle: Bundle, folder: DataFolder) -> Restored:
    """The tree, as late as the files tell it. Raises NotReadError when no snapshot is whole."""
    begun_at, snapshot = _newest_whole(bundle, folder.snapshots)
    replay = _Replay(snapshot.tree, begun_at)
    replay.run(bundle, _logs_after(folder.logs, begun_at))
    ended_at = snapshot.ended_at
    is_exact = ended_at is not None and begun_at <= ended_at <= replay.zxid
    return Restored(snapshot.tree, replay.zxid, is_exact)


class _Replay:
    """Applies logs one after the other; `zxid` is the last transaction in the tree."""

    def __init__(self, tree: DataTree, zxid: int) -> None:
        self.zxid = zxid
        self._tree = tree

    def run(self, bundle: Bundle, logs: Sequence[str]) -> None:
        """A broken or a missing log ends it."""
        for path in logs:
            try:
                if not self._apply_log(bundle, path):
                    _log.warning("the transactions between %#x and %s are missing", self.zxid, path)
                    return
            except JuteError as error:
                _log.warning("%s is read to transaction %#x only: %s", path, self.zxid, error)
                return

    def _apply_log(self, bundle: Bundle, path: str) -> bool:
        """Whether the log goes on where the tree is."""
        is_first = True
        with bundle.open(path) as file:
            for txn in read_log(file):
                if txn.zxid > self.zxid:
                    if is_first and not _follows(self.zxid, txn.zxid):
                        return False
                    apply(self._tree, txn)
                    self.zxid = txn.zxid
                is_first = False
        return True


def _follows(zxid: int, following: int) -> bool:
    """Whether nothing can have happened between: the next of an epoch, or the first of a later one."""
    return following == zxid + 1 or (following >> 32 > zxid >> 32 and following & 0xFFFFFFFF <= 1)


def _newest_whole(bundle: Bundle, paths: Sequence[str]) -> tuple[int, SnapshotFile]:
    broken = []
    for path in sorted(paths, key=zxid_of, reverse=True):
        try:
            return zxid_of(path), read_snapshot(_uncompressed(bundle, path))
        except JuteError as error:
            broken.append(f"{path}: {error}")
            _log.warning("%s cannot be read, an older snapshot may: %s", path, error)
    raise NotReadError(
        GapReason.UNREADABLE,
        f"No snapshot of ZooKeeper in the bundle can be read ({'; '.join(broken)}): "
        "copy the newest snapshot.* of a server's dataDir again, and the log.* beside it",
    )


def _uncompressed(bundle: Bundle, path: str) -> bytes:
    if path.endswith(".snappy"):
        raise JuteError("it is compressed with snappy: unpack it first, and drop .snappy from its name")
    if not path.endswith(".gz"):
        return bundle.read(path)
    try:
        with bundle.open(path) as file, gzip.open(file) as unpacked:
            content = unpacked.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise JuteError(f"it is no whole gzip file ({error})") from error
    if len(content) > MAX_FILE_BYTES:
        raise JuteError(f"it is longer than {MAX_FILE_BYTES} bytes")
    return content


def _logs_after(paths: Sequence[str], zxid: int) -> Sequence[str]:
    """The logs from the one that `zxid` is in on (`FileTxnLog.getLogFiles`)."""
    logs = sorted(paths, key=zxid_of)
    before = [path for path in logs if zxid_of(path) <= zxid]
    return [*before[-1:], *logs[len(before) :]]
