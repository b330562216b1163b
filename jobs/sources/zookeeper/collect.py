"""Read the whole tree under the chroot as it was at one zxid, and land it."""

import logging

from jobs.errors import SourceUnavailableError
from jobs.landing import Landing
from jobs.sources.zookeeper.attempts import over_one_session
from jobs.sources.zookeeper.reading import Read
from jobs.sources.zookeeper.redact import redact_path
from jobs.sources.zookeeper.rows import znode_row
from jobs.sources.zookeeper.session import Session
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.walk import Walk, walk
from jobs.sources.zookeeper.wire import NO_AUTH, Sync

WALKS = 3

_log = logging.getLogger(__name__)


def collect(settings: Settings, landing: Landing) -> None:
    """Land every znode that is proven to be as it was at `landing.zxid`, and a gap for each part that is not.

    Raises SourceUnavailableError when the ensemble or the chroot cannot be read.
    """
    seen = _read_tree(settings)
    for path, code in sorted(seen.refused.items()):
        _refused_gap(
            landing, redact_path(_below(path, settings.chroot), None, landing.redactor.fingerprint), code
        )
    doubt = (
        f"It changed while it was read, in each of {WALKS} walks over the tree: the next snapshot may see it."
    )
    land_settled(seen, settings.chroot, doubt, landing)
    _log.info("collected %d znodes from %s at zxid %#x", len(seen.znodes), settings.connect, seen.zxid)


def land_settled(seen: Walk, chroot: str, doubt: str, landing: Landing) -> None:
    """Land what is proven of a tree, and for each part that is not a gap that says `doubt`."""
    fingerprint = landing.redactor.fingerprint
    landing.zxid, landing.unsettled = seen.zxid, len(seen.unsettled)
    for path in seen.doubts():
        landing.gap(redact_path(_below(path, chroot), None, fingerprint), "unsettled", doubt)
    landing.rows(
        "znodes", (znode_row(_below(path, chroot), znode, fingerprint) for path, znode in seen.settled())
    )


def _read_tree(settings: Settings) -> Walk:
    """The most settled of a few walks, all of them over one session."""
    return over_one_session(settings, lambda session, read: _settled_walk(session, read, settings))


def _settled_walk(session: Session, read: Read, settings: Settings) -> Walk:
    root = settings.chroot or "/"
    best: Walk | None = None
    for _ in range(WALKS):
        seen = walk(read, root, session.call(Sync(root)))
        _check_root(seen, root, settings)
        if best is None or seen.settled_count() > best.settled_count():
            best = seen
        if not seen.unsettled:
            return seen
    assert best is not None
    return best


def _check_root(seen: Walk, root: str, settings: Settings) -> None:
    if root in seen.refused:
        raise SourceUnavailableError(
            f"ZooKeeper at {settings.hosts} does not let Varve read {root}: it needs the READ right there.",
            reason="unauthorized",
        )
    if root not in seen.znodes:
        raise SourceUnavailableError(
            f"There is no {root} in ZooKeeper at {settings.hosts}: compare the path at the end of `connect` "
            "with the brokers' zookeeper.connect.",
            reason="missing",
        )


def _refused_gap(landing: Landing, scope: str, code: int) -> None:
    if code == NO_AUTH:
        message = f"Varve has no READ right on {scope}: give it to the identity it connects with."
        landing.gap(scope, "unauthorized", message)
    else:
        landing.gap(scope, "unreadable", f"ZooKeeper answered a read of {scope} with its error code {code}.")


def _below(path: str, chroot: str) -> str:
    return path[len(chroot) :] or "/"
