"""The chroot: the path below which a Kafka cluster keeps its znodes.

Read at a path above its chroot a cluster would look as if it had lost everything, so such a path is refused.
"""

from collections.abc import Collection, Iterable

from jobs.errors import NotReadError
from jobs.sources.zookeeper.connection.failures import digest_hint
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.walk import Walk
from schemas.snapshots import GapReason

_IDS = "/brokers/ids"
_REMEDY = "compare the path at the end of `connect` with the brokers' zookeeper.connect."


def chroots(paths: Iterable[str]) -> list[str]:
    """The chroots of the Kafka clusters among these znodes; `/` for a cluster without a chroot."""
    return sorted(path.removesuffix(_IDS) or "/" for path in paths if path.endswith(_IDS))


def chroots_below(root: str, paths: Collection[str]) -> list[str]:
    """The chroots of the Kafka clusters below `root`; empty when there is a cluster at `root` itself."""
    inside = root.rstrip("/") + "/"
    if f"{inside}brokers" in paths:
        return []
    return [chroot for chroot in chroots(paths) if chroot.startswith(inside)]


def below(path: str, chroot: str) -> str:
    """The path as Kafka sees it: without the chroot."""
    return path[len(chroot) :] or "/"


def check_root(seen: Walk, settings: Settings) -> None:
    """Raises NotReadError when the root of the walk is closed, absent, or above a cluster's chroot."""
    root, where = settings.chroot or "/", f"in ZooKeeper at {settings.hosts}"
    if root in seen.refused:
        raise NotReadError(
            GapReason.UNAUTHORIZED,
            f"ZooKeeper at {settings.hosts} does not let Varve read {root}: it needs the READ right there"
            f"{digest_hint(settings)}.",
        )
    if root not in seen.znodes:
        raise NotReadError(GapReason.MISSING, f"There is no {root} {where}: {_REMEDY}")
    if elsewhere := chroots_below(root, {*seen.znodes, *seen.refused, *seen.left_out, *seen.unsettled}):
        message = f"There is no Kafka cluster at {root} {where}, but at {', '.join(elsewhere)}: {_REMEDY}"
        raise NotReadError(GapReason.MISSING, message)
