"""Why a connection to ZooKeeper ended, and what to tell the user about it."""

import ssl
from collections.abc import Callable
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import (
    AuthFailedError,
    KazooException,
    SASLException,
    SessionClosedRequireSaslError,
)
from kazoo.handlers.threading import SequentialThreadingHandler
from kazoo.protocol.states import KeeperState

from jobs.errors import NotReadError
from jobs.sources.zookeeper.settings import Settings
from schemas.snapshots import GapReason

REFUSALS = (AuthFailedError, SASLException, SessionClosedRequireSaslError)


class Handler(SequentialThreadingHandler):  # type: ignore[misc]
    """Kazoo's threads, but an error that ends the connection's thread is kept instead of printed.

    `end` is that error; it is complete once the client is stopped. `tls_failure` is the last TLS handshake that failed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.end: Exception | None = None
        self.tls_failure: ssl.SSLError | None = None

    def spawn(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def quiet() -> None:
            try:
                func(*args, **kwargs)
            except KazooException as error:
                self.end = error

        return super().spawn(quiet)

    def create_connection(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().create_connection(*args, **kwargs)
        except ssl.SSLError as error:
            self.tls_failure = error
            raise

    def watch(self, client: KazooClient) -> None:
        """Keep it in `end` when a server refuses the client's credentials; kazoo only closes the connection then."""

        def listener(_state: str) -> None:
            if client.client_state == KeeperState.AUTH_FAILED:
                self.end = AuthFailedError()

        client.add_listener(listener)


def refusal(error: Exception | None, settings: Settings) -> NotReadError | None:
    """The error to raise when the server refused Varve or its certificate is not trusted, so that a retry is useless.

    None for every other error.
    """
    if isinstance(error, ssl.SSLError):
        return _untrusted(error, settings)
    if not isinstance(error, REFUSALS):
        return None
    has_sasl = settings.auth is not None and settings.auth.scheme != "digest"
    if isinstance(error, SessionClosedRequireSaslError) and not has_sasl:
        message = (
            f"ZooKeeper at {settings.hosts} serves only clients that log in by SASL: give `auth` with "
            "`scheme: sasl` or `gssapi` in the cluster's zookeeper settings."
        )
    else:
        message = (
            f"ZooKeeper at {settings.hosts} refused Varve's credentials: check `auth` in the cluster's "
            "zookeeper settings, the password first."
        )
    return NotReadError(GapReason.UNAUTHORIZED, message)


def digest_hint(settings: Settings) -> str:
    """The end of a remedy for a missing right: with digest a wrong password looks just like one."""
    if settings.auth is None or settings.auth.scheme != "digest":
        return ""
    return ", or check user and password of `auth`: ZooKeeper takes any digest, and then refuses the znodes"


def _untrusted(error: ssl.SSLError, settings: Settings) -> NotReadError:
    what = error.reason or str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        what = error.verify_message.rstrip(".")
    return NotReadError(
        GapReason.UNREACHABLE,
        f"TLS with ZooKeeper at {settings.hosts} failed ({what}): check that `connect` names each server as its "
        "certificate does, that `tls.ca` is the authority that signed it, and that the port is the secure one.",
    )
