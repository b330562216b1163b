"""ZooKeeper sessions: every wait has a deadline, and work whose session is lost starts over in a new one."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from kazoo.client import KazooClient
from kazoo.exceptions import (
    ConnectionClosedError,
    ConnectionLoss,
    KazooException,
    SessionExpiredError,
    UnimplementedError,
)
from kazoo.handlers.threading import KazooTimeoutError

from jobs.errors import NotReadError
from jobs.sources.zookeeper.connection.credentials import credentials
from jobs.sources.zookeeper.connection.failures import REFUSALS, Handler, refusal
from jobs.sources.zookeeper.connection.reading import MultiReader, Pace, PipelinedReader, Read
from jobs.sources.zookeeper.settings import Settings
from schemas.snapshots import GapReason

SESSIONS = 4
_LOST = (ConnectionLoss, ConnectionClosedError, SessionExpiredError, KazooTimeoutError)

T = TypeVar("T")
_log = logging.getLogger(__name__)
_kazoo_log = logging.getLogger("kazoo")


class SessionLostError(Exception):
    """The session ended, or a server stopped answering: what was read so far is not the tree at one moment."""


class Session:
    """Sends requests over one session.

    Waiting for an answer raises SessionLostError once kazoo has lost the session or opened another one, and
    NotReadError when the server refuses Varve.
    """

    def __init__(self, client: Any, settings: Settings) -> None:
        self._client = client
        self._id = client.client_id
        self._settings = settings

    def send(self, request: Any) -> Any:
        """Queue a request and return its pending answer, for `result`. Answers come in the order of the requests."""
        answer = self._client.handler.async_result()
        self._client._call(request, answer)
        return answer

    def result(self, answer: Any) -> Any:
        """Wait for the answer to a request that was sent."""
        try:
            value = answer.get(timeout=self._settings.timeout_s)
        except (*_LOST, *REFUSALS) as error:
            raise self._ended(error) from error
        if self._client.client_id != self._id:
            raise SessionLostError("the session expired")
        return value

    def call(self, request: Any) -> Any:
        """Send a request and wait for its answer."""
        return self.result(self.send(request))

    def _ended(self, error: Exception) -> Exception:
        # Only a stopped client has told its handler everything.
        with suppress(KazooException):
            self._client.stop()
        refused = refusal(self._client.handler.end or error, self._settings)
        return refused or SessionLostError(str(error) or type(error).__name__)


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


@contextmanager
def open_session(settings: Settings) -> Iterator[Session]:
    """A session with the ensemble, closed at the end.

    Raises NotReadError when no server opens one within `timeout_s`, or the servers refuse Varve or are not
    trusted.
    """
    _kazoo_log.setLevel(logging.CRITICAL)
    arguments = credentials(settings)
    handler = Handler()
    client = KazooClient(settings.hosts, settings.timeout_s, handler=handler, **arguments)
    handler.watch(client)
    try:
        _start(client, settings)
        yield Session(client, settings)
    finally:
        with suppress(KazooException):
            client.stop()
            client.close()


def _start(client: Any, settings: Settings) -> None:
    try:
        client.start(timeout=settings.timeout_s)
    except KazooTimeoutError as error:
        refused = refusal(client.handler.end or client.handler.tls_failure, settings)
        ticket = "that `klist` shows a ticket, " if settings.auth and settings.auth.scheme == "gssapi" else ""
        raise refused or NotReadError(
            GapReason.UNREACHABLE,
            f"No ZooKeeper server of {settings.hosts} gave a session within {settings.timeout_s:g} s: check that "
            f"its host name is right and it runs, {ticket}that the port is its client port (a TLS port needs `tls` in "
            "the cluster's zookeeper settings) and that this machine may connect to it.",
        ) from error
