"""One ZooKeeper session, every wait with a deadline."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import (
    AuthFailedError,
    ConnectionClosedError,
    ConnectionLoss,
    KazooException,
    SessionExpiredError,
)
from kazoo.handlers.threading import KazooTimeoutError, SequentialThreadingHandler

from jobs.errors import SourceUnavailableError
from jobs.sources.zookeeper.credentials import credentials
from jobs.sources.zookeeper.settings import Settings

_LOST = (ConnectionLoss, ConnectionClosedError, SessionExpiredError, KazooTimeoutError)

_kazoo_log = logging.getLogger("kazoo")


class SessionLostError(Exception):
    """The session ended, or a server stopped answering: what was read so far belongs to no one moment."""


class _QuietHandler(SequentialThreadingHandler):  # type: ignore[misc]
    """A connection thread that fails ends the connection and says nothing: its user waits with a deadline."""

    def spawn(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def quiet() -> None:
            with suppress(KazooException):
                func(*args, **kwargs)

        return super().spawn(quiet)


class Session:
    """Requests over one session; raises SessionLostError once it is not that session any more."""

    def __init__(self, client: Any, timeout_s: float) -> None:
        self._client = client
        self._id = client.client_id
        self._timeout_s = timeout_s

    def send(self, request: Any) -> Any:
        """Queue a request; `result` waits for its answer. Answers come in the order of the requests."""
        answer = self._client.handler.async_result()
        self._client._call(request, answer)
        return answer

    def result(self, answer: Any) -> Any:
        try:
            value = answer.get(timeout=self._timeout_s)
        except AuthFailedError as error:
            raise SourceUnavailableError(
                "ZooKeeper refused Varve's credentials: check `auth` in the cluster's zookeeper settings.",
                reason="unauthorized",
            ) from error
        except _LOST as error:
            raise SessionLostError(str(error) or type(error).__name__) from error
        if self._client.client_id != self._id:
            raise SessionLostError("the session expired")
        return value

    def call(self, request: Any) -> Any:
        return self.result(self.send(request))


@contextmanager
def open_session(settings: Settings) -> Iterator[Session]:
    """A session with the ensemble, closed at the end.

    Raises SourceUnavailableError when no server gives one within `timeout_s`.
    """
    _kazoo_log.setLevel(logging.CRITICAL)
    arguments = credentials(settings)
    client = KazooClient(settings.hosts, settings.timeout_s, handler=_QuietHandler(), **arguments)
    try:
        _start(client, settings)
        yield Session(client, settings.timeout_s)
    finally:
        with suppress(KazooException):
            client.stop()
            client.close()


def _start(client: Any, settings: Settings) -> None:
    try:
        client.start(timeout=settings.timeout_s)
    except KazooTimeoutError as error:
        also = "that it accepts the credentials, " if settings.auth else ""
        also += "that its certificate is for this name and from a trusted authority, " if settings.tls else ""
        raise SourceUnavailableError(
            f"No ZooKeeper server of {settings.hosts} gave a session within {settings.timeout_s:g} s: "
            f"check that it runs, {also}that the port is its client port and that this machine may connect to it."
        ) from error
