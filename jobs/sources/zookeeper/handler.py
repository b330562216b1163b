"""Why kazoo's connection ended, for the one who waits for an answer over it."""

import ssl
from collections.abc import Callable
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import AuthFailedError, KazooException
from kazoo.handlers.threading import SequentialThreadingHandler
from kazoo.protocol.states import KeeperState


class Handler(SequentialThreadingHandler):  # type: ignore[misc]
    """A connection thread that fails ends the connection and says nothing: its user waits with a deadline.

    `end` is what it failed with, complete once the client is stopped; `tls_failure` why a server was not talked to.
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
        """Notice when a server refuses the client's credentials, which kazoo takes for an ordinary end."""

        def listener(_state: str) -> None:
            if client.client_state == KeeperState.AUTH_FAILED:
                self.end = AuthFailedError()

        client.add_listener(listener)
