"""One ZooKeeper session; every wait for an answer has a deadline."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import ConnectionClosedError, ConnectionLoss, KazooException, SessionExpiredError
from kazoo.handlers.threading import KazooTimeoutError

from jobs.errors import NotReadError
from jobs.sources.zookeeper.connection.credentials import credentials
from jobs.sources.zookeeper.connection.failures import REFUSALS, Handler, refusal
from jobs.sources.zookeeper.settings import Settings
from schemas.snapshots import GapReason

_LOST = (ConnectionLoss, ConnectionClosedError, SessionExpiredError, KazooTimeoutError)

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
