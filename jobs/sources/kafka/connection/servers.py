"""Sends requests to whichever of several servers answers, over one connection at a time."""

import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from kafka.errors import KafkaError

from jobs.sources.kafka.connection.connection import Connection
from jobs.sources.kafka.connection.failures import NoAnswerError, RefusedError
from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.connection.identity import Identity

_PAUSE_S = 0.5


class Servers:
    """Asks one of the servers, and the next one when its connection fails. Each request may take `timeout_s`."""

    def __init__(self, servers: Iterable[str], identity: Identity, timeout_s: float) -> None:
        self.identity = identity
        self.timeout_s = timeout_s
        self._servers = deque(servers)
        self._connection: Connection | None = None

    @property
    def are_named(self) -> bool:
        """Whether there is any server to ask."""
        return bool(self._servers)

    def know(self, request: Any) -> bool:
        """Whether the connected server supports requests of this kind."""
        return self._connected(time.monotonic() + self.timeout_s).knows(request)

    def ask(self, request: Any) -> Any:
        """The decoded reply; raises what `frame` raises."""
        return self.frame(request).decode()

    def frame(self, request: Any) -> Frame:
        """The reply of the first server that gives one.

        Raises NoAnswerError when none answers in time, RefusedError when one refuses and the others do not answer,
        UnsupportedVersionError when the server that answers does not support the request.
        """
        deadline = time.monotonic() + self.timeout_s
        first: NoAnswerError | None = None
        while True:
            try:
                return self._connected(deadline).frame(request, deadline)
            except NoAnswerError as error:
                # The first failure says more than the timeout that follows from it.
                first = first or error
                self.next()
                if _is_near(deadline):
                    raise first from None
                time.sleep(_PAUSE_S)

    def next(self) -> None:
        """Send the next requests to another server."""
        self.close()
        self._servers.rotate(-1)

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _connected(self, deadline: float) -> Connection:
        while self._connection is None:
            failures = self._try_each(deadline)
            refusals = [error for error in failures if isinstance(error, RefusedError)]
            if self._connection is None and (refusals or _is_near(deadline)):
                raise (refusals or failures)[0]
            if self._connection is None:
                time.sleep(_PAUSE_S)
        return self._connection

    def _try_each(self, deadline: float) -> list[KafkaError]:
        """Connect to the first server that accepts; each one gets its share of the time that is left."""
        failures: list[KafkaError] = [] if self._servers else [NoAnswerError("varve.yaml names no server")]
        for untried in range(len(self._servers), 0, -1):
            now = time.monotonic()
            try:
                share = now + (deadline - now) / untried
                self._connection = Connection(self._servers[0], self.identity, share)
                break
            except KafkaError as error:
                failures.append(error)
                self._servers.rotate(-1)
        return failures

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_near(deadline: float) -> bool:
    return time.monotonic() + _PAUSE_S >= deadline
