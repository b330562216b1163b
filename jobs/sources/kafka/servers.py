"""Whichever of a few servers answers, over one connection at a time."""

import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from kafka.errors import KafkaError

from jobs.sources.kafka.connection import Connection
from jobs.sources.kafka.failures import NoAnswerError, RefusedError
from jobs.sources.kafka.frame import Frame
from jobs.sources.kafka.identity import Identity

_PAUSE_S = 0.5


class Servers:
    """Asks one of the servers, and the next one when that is lost; each question has `timeout_s`."""

    def __init__(self, servers: Iterable[str], identity: Identity, timeout_s: float) -> None:
        self.identity = identity
        self.timeout_s = timeout_s
        self._servers = deque(servers)
        self._connection: Connection | None = None

    @property
    def are_named(self) -> bool:
        """Whether there is any to ask."""
        return bool(self._servers)

    def know(self, request: Any) -> bool:
        """Whether the one that is asked knows such a request."""
        return self._connected(time.monotonic() + self.timeout_s).knows(request)

    def ask(self, request: Any) -> Any:
        """The decoded reply; see `frame`."""
        return self.frame(request).decode()

    def frame(self, request: Any) -> Frame:
        """The reply of a server that gives one.

        Raises NoAnswerError when none does in time, RefusedError when one refuses and the others do not answer,
        UnsupportedVersionError when the server does not know the question.
        """
        deadline = time.monotonic() + self.timeout_s
        first: NoAnswerError | None = None
        while True:
            try:
                return self._connected(deadline).frame(request, deadline)
            except NoAnswerError as error:
                # What went wrong while there was time says more than that there was none left.
                first = first or error
                self.next()
                if _is_near(deadline):
                    raise first from None
                time.sleep(_PAUSE_S)

    def next(self) -> None:
        """Ask another server from now on."""
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
        """Connect to the first server that lets it; each has its share of the time that is left."""
        failures: list[KafkaError] = [] if self._servers else [NoAnswerError("varve.yaml names none")]
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
