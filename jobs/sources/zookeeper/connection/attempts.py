"""Runs a piece of work over one ZooKeeper session, and starts it over in a new session when that one is lost."""

import logging
from collections.abc import Callable
from typing import TypeVar

from kazoo.exceptions import UnimplementedError

from jobs.errors import NotReadError
from jobs.sources.zookeeper.connection.reading import MultiReader, Pace, PipelinedReader, Read
from jobs.sources.zookeeper.connection.session import Session, SessionLostError, open_session
from jobs.sources.zookeeper.settings import Settings
from schemas.snapshots import GapReason

SESSIONS = 4

T = TypeVar("T")
_log = logging.getLogger(__name__)


def over_one_session(settings: Settings, work: Callable[[Session, Read], T]) -> T:
    """The result of `work`, which sees one session from beginning to end.

    `work` reads with multi-read; where the server has none (before ZooKeeper 3.6) it reads one znode per request.
    Raises NotReadError when every session is lost before `work` is done.
    """
    pace = Pace(settings.max_reads_per_second)
    reader: type[MultiReader] | type[PipelinedReader] = MultiReader
    lost: Exception | None = None
    for _ in range(SESSIONS):
        try:
            with open_session(settings) as session:
                return work(session, reader(session, pace))
        except UnimplementedError:
            # The server closes the connection with this answer, so the next attempt needs a new session.
            reader = PipelinedReader
            _log.info("ZooKeeper at %s is older than 3.6: reading its znodes one by one", settings.hosts)
        except SessionLostError as error:
            lost = error
            _log.warning("the session with ZooKeeper at %s was lost: %s", settings.hosts, error)
    also = "check that it accepts the credentials, " if settings.auth else ""
    raise NotReadError(
        GapReason.UNREACHABLE,
        f"ZooKeeper at {settings.hosts} lost every session before it was read ({lost}): "
        f"{also}look at the ensemble's logs, or raise timeout_s.",
    )
