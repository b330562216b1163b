"""Where in a ZooKeeper tree Kafka clusters are: above its chroot a cluster would read as one that lost everything."""

from collections.abc import Collection, Iterable

_IDS = "/brokers/ids"


def chroots(paths: Iterable[str]) -> list[str]:
    """The chroots of the Kafka clusters among these znodes, `/` for one without."""
    return sorted(path.removesuffix(_IDS) or "/" for path in paths if path.endswith(_IDS))


def chroots_below(root: str, paths: Collection[str]) -> list[str]:
    """The chroots of Kafka clusters below `root` where none is at `root` itself, else empty."""
    inside = root.rstrip("/") + "/"
    if f"{inside}brokers" in paths:
        return []
    return [chroot for chroot in chroots(paths) if chroot.startswith(inside)]
