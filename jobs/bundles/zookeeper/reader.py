"""The ZooKeeper tree in a support bundle: a server's data folder, or what SnapshotFormatter prints of a snapshot."""

import logging
import re
from collections.abc import Sequence

from jobs.bundles.bundle import Bundle
from jobs.bundles.zookeeper.data_folder import Restored, data_folder, restore
from jobs.bundles.zookeeper.dump import read_dump
from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.snapshot_file import MAGIC as SNAPSHOT_MAGIC
from jobs.bundles.zookeeper.transactions import MAGIC as LOG_MAGIC
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.zookeeper.chroot import chroots, chroots_below
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.walk import Walk
from jobs.sources.zookeeper.znodes import land_settled
from schemas.snapshots import GapReason

LOOKED_FOR = (
    "a ZooKeeper server's data folder (version-2/snapshot.* and log.*), or the output of "
    "org.apache.zookeeper.server.SnapshotFormatter -d"
)

_SNAPSHOT = re.compile(r"(.*/)?snapshot\.[0-9a-f]{1,16}(\.gz|\.snappy)?")
_LOG = re.compile(r"(.*/)?log\.[0-9a-f]{1,16}")
_DUMP = re.compile(rb"^ZNode Details \(count=\d+\):$", re.MULTILINE)
_SIZES = b'{"progname":"SnapshotFormatter.java"'

_log = logging.getLogger(__name__)


def recognise(path: str, head: bytes) -> bool:
    """Whether a file is one of those looked for, by its name and its first bytes."""
    is_a_server_s = "version-2" in path.split("/")
    if snapshot := _SNAPSHOT.fullmatch(path):
        return is_a_server_s or bool(snapshot[2]) or head.startswith(SNAPSHOT_MAGIC)
    if _LOG.fullmatch(path):
        return is_a_server_s or head.startswith(LOG_MAGIC)
    return bool(_DUMP.search(head)) or _SIZES in head


def collect_bundle(settings: Settings, bundle: Bundle, paths: Sequence[str], landing: Landing) -> None:
    """Land the cluster's part of the tree, and a gap for each part that is not as it was at one moment.

    Raises NotReadError when the tree cannot be read, or the cluster is not in it.
    """
    restored = _restored(bundle, paths)
    root = settings.chroot or "/"
    if root not in restored.tree.znodes or chroots_below(root, restored.tree.znodes):
        raise NotReadError(GapReason.MISSING, _not_there(root, restored))
    seen = _walk(restored, root)
    doubt = (
        f"A transaction after {seen.zxid:#x} shows in it, and the bundle does not hold all of them up to that one: "
        "add the log.* files of the server's data folder."
    )
    land_settled(seen, settings.chroot, doubt, landing)
    if not restored.is_exact and not seen.unsettled:
        landing.unsettled = None
        _log.warning(
            "nothing proves that the tree is of one moment: it may have moved while its snapshot was written. Copy the "
            "log.* files of the server's data folder after the snapshot.*; before ZooKeeper 3.6 nothing can prove it"
        )


def _restored(bundle: Bundle, paths: Sequence[str]) -> Restored:
    snapshots = [path for path in paths if _SNAPSHOT.fullmatch(path)]
    logs = [path for path in paths if _LOG.fullmatch(path)]
    if snapshots:
        return restore(bundle, data_folder(snapshots, logs))
    dumps = [path for path in paths if path not in logs]
    if not dumps:
        raise NotReadError(
            GapReason.UNREADABLE,
            "The bundle holds transaction logs of ZooKeeper and no snapshot to begin with: "
            "add the newest snapshot.* of the server's dataDir",
        )
    return _dumped(bundle, dumps[-1])


def _dumped(bundle: Bundle, path: str) -> Restored:
    """A dump does not tell when its snapshot was begun, so nothing proves that it is of one moment."""
    try:
        tree, zxid = read_dump(bundle.read(path).decode(errors="replace"))
    except JuteError as error:
        raise NotReadError(
            GapReason.UNREADABLE, f"{path} is no SnapshotFormatter output that can be used: {error}"
        ) from error
    return Restored(tree, zxid, is_exact=False)


def _walk(restored: Restored, root: str) -> Walk:
    """The cluster's part of the tree, with what is newer than the tree's own zxid as unsettled."""
    seen = Walk(restored.zxid)
    for path, znode in restored.tree.below(root):
        seen.znodes[path] = znode.read()
        if znode.last_zxid > restored.zxid:
            seen.unsettled.add(path)
    return seen


def _not_there(root: str, restored: Restored) -> str:
    clusters = chroots(restored.tree.znodes)
    found = (
        f"it holds Kafka clusters at {', '.join(clusters)}"
        if clusters
        else "it holds no other Kafka cluster either"
    )
    return (
        f"There is no Kafka cluster at {root} in the bundle's ZooKeeper tree ({found}): compare the path at the end of "
        "`connect` in varve.yaml with the brokers' zookeeper.connect."
    )
