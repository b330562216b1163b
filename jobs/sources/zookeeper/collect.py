"""Read the whole tree under the chroot as it was at one zxid, and land it."""

import logging
from itertools import islice

from jobs.errors import NotReadError
from jobs.landing.landing import ROWS_PER_FILE, Landing
from jobs.sources.zookeeper.attempts import over_one_session
from jobs.sources.zookeeper.clusters import chroots_below
from jobs.sources.zookeeper.reading import Read
from jobs.sources.zookeeper.redact import redact_path
from jobs.sources.zookeeper.rows import znode_table
from jobs.sources.zookeeper.session import Session
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.walk import Walk, walk
from jobs.sources.zookeeper.wire import NO_AUTH, Sync
from schemas.snapshots import GapReason

WALKS = 3

_log = logging.getLogger(__name__)


def collect(settings: Settings, landing: Landing) -> None:
    """Land every znode that is proven to be as it was at `landing.zxid`, and a gap for each part that is not.

    Raises NotReadError when the ensemble or the chroot cannot be read.
    """
    seen = _read_tree(settings)
    chroot, fingerprint = settings.chroot, landing.redactor.fingerprint
    for path, code in sorted(seen.refused.items()):
        landing.gap(*_refused_gap(settings, redact_path(_below(path, chroot), None, fingerprint), code))
    for path in sorted(seen.left_out):
        scope = redact_path(_below(path, chroot), None, fingerprint)
        landing.gap(scope, GapReason.NOT_COLLECTED, "It is in none of the `subtrees` that varve.yaml names.")
    doubt = (
        f"It changed while it was read, in each of {WALKS} walks over the tree: the next snapshot may see it."
    )
    land_settled(seen, chroot, doubt, landing)
    _log.info("collected %d znodes from %s at zxid %#x", len(seen.znodes), settings.connect, seen.zxid)


def land_settled(seen: Walk, chroot: str, doubt: str, landing: Landing) -> None:
    """Land what is proven of a tree, and for each part that is not a gap that says `doubt`."""
    fingerprint = landing.redactor.fingerprint
    landing.zxid, landing.unsettled = seen.zxid, len(seen.unsettled)
    for path in seen.doubts():
        landing.gap(redact_path(_below(path, chroot), None, fingerprint), GapReason.UNSETTLED, doubt)
    znodes = ((_below(path, chroot), znode) for path, znode in seen.settled())
    while some := list(islice(znodes, ROWS_PER_FILE)):
        landing.table("znodes", znode_table(some, fingerprint))


def _read_tree(settings: Settings) -> Walk:
    """The most settled of a few walks, all of them over one session."""
    return over_one_session(settings, lambda session, read: _settled_walk(session, read, settings))


def _settled_walk(session: Session, read: Read, settings: Settings) -> Walk:
    root = settings.chroot or "/"
    subtrees = [settings.chroot + subtree for subtree in settings.subtrees]
    best: Walk | None = None
    for _ in range(WALKS):
        seen = walk(read, root, session.call(Sync(root)), subtrees)
        _check_root(seen, root, settings)
        if best is None or seen.settled_count() > best.settled_count():
            best = seen
        if not seen.unsettled:
            return seen
    assert best is not None
    return best


def _check_root(seen: Walk, root: str, settings: Settings) -> None:
    if root in seen.refused:
        raise NotReadError(
            GapReason.UNAUTHORIZED,
            f"ZooKeeper at {settings.hosts} does not let Varve read {root}: it needs the READ right there"
            f"{_or_check_the_digest(settings)}.",
        )
    if root not in seen.znodes:
        raise NotReadError(
            GapReason.MISSING,
            f"There is no {root} in ZooKeeper at {settings.hosts}: compare the path at the end of `connect` "
            "with the brokers' zookeeper.connect.",
        )
    if elsewhere := chroots_below(root, {*seen.znodes, *seen.refused, *seen.left_out, *seen.unsettled}):
        raise NotReadError(
            GapReason.MISSING,
            f"There is no Kafka cluster at {root} in ZooKeeper at {settings.hosts}, but at {', '.join(elsewhere)}: "
            "compare the path at the end of `connect` with the brokers' zookeeper.connect.",
        )


def _refused_gap(settings: Settings, scope: str, code: int) -> tuple[str, GapReason, str]:
    if code != NO_AUTH:
        return (
            scope,
            GapReason.UNREADABLE,
            f"ZooKeeper answered a read of {scope} with its error code {code}.",
        )
    remedy = f"give it to the identity it connects with{_or_check_the_digest(settings)}"
    return scope, GapReason.UNAUTHORIZED, f"Varve has no READ right on {scope}: {remedy}."


def _or_check_the_digest(settings: Settings) -> str:
    if settings.auth is None or settings.auth.scheme != "digest":
        return ""
    return ", or check user and password of `auth`: ZooKeeper takes any digest, and then refuses the znodes"


def _below(path: str, chroot: str) -> str:
    return path[len(chroot) :] or "/"
