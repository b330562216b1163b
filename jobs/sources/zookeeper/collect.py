"""Reads the whole tree under the chroot as it was at one zxid, and lands it."""

import logging

from jobs.landing.landing import Landing
from jobs.sources.zookeeper.chroot import below, check_root
from jobs.sources.zookeeper.connection.failures import digest_hint
from jobs.sources.zookeeper.connection.reading import Read
from jobs.sources.zookeeper.connection.session import Session, over_one_session
from jobs.sources.zookeeper.connection.wire import NO_AUTH, Sync
from jobs.sources.zookeeper.redact import redact_path
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.walk import Walk, walk
from jobs.sources.zookeeper.znodes import land_settled
from schemas.snapshots import GapReason

WALKS = 3
_UNSETTLED = (
    f"It changed while it was read, in each of {WALKS} walks over the tree: the next snapshot may see it."
)
_LEFT_OUT = "It is in none of the `subtrees` that varve.yaml names."

_log = logging.getLogger(__name__)


def collect(settings: Settings, landing: Landing) -> None:
    """Land every znode that is proven to be as it was at `landing.zxid`, and a gap for each part that is not.

    Raises NotReadError when the ensemble or the chroot cannot be read.
    """
    seen = over_one_session(settings, lambda session, read: _most_settled_walk(session, read, settings))
    _land_gaps(seen, settings, landing)
    land_settled(seen, settings.chroot, _UNSETTLED, landing)
    _log.info("collected %d znodes from %s at zxid %#x", len(seen.znodes), settings.connect, seen.zxid)


def _most_settled_walk(session: Session, read: Read, settings: Settings) -> Walk:
    """The first walk that settles everything, or else the best of `WALKS`."""
    root = settings.chroot or "/"
    subtrees = [settings.chroot + subtree for subtree in settings.subtrees]
    best: Walk | None = None
    for _ in range(WALKS):
        seen = walk(read, root, session.call(Sync(root)), subtrees)
        check_root(seen, settings)
        if best is None or seen.settled_count() > best.settled_count():
            best = seen
        if not seen.unsettled:
            return seen
    assert best is not None
    return best


def _land_gaps(seen: Walk, settings: Settings, landing: Landing) -> None:
    """A gap for each subtree that the servers refused or that is not among the configured `subtrees`."""
    fingerprint = landing.redactor.fingerprint
    for path, code in sorted(seen.refused.items()):
        scope = redact_path(below(path, settings.chroot), None, fingerprint)
        landing.gap(scope, *_refused(scope, code, settings))
    for path in sorted(seen.left_out):
        scope = redact_path(below(path, settings.chroot), None, fingerprint)
        landing.gap(scope, GapReason.NOT_COLLECTED, _LEFT_OUT)


def _refused(scope: str, code: int, settings: Settings) -> tuple[GapReason, str]:
    if code != NO_AUTH:
        return GapReason.UNREADABLE, f"ZooKeeper answered a read of {scope} with its error code {code}."
    remedy = f"give it to the identity it connects with{digest_hint(settings)}"
    return GapReason.UNAUTHORIZED, f"Varve has no READ right on {scope}: {remedy}."
