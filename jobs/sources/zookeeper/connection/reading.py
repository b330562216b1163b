"""Reads many znodes over one session: with multi-read, or one per request from a server before ZooKeeper 3.6."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from kazoo.exceptions import NoAuthError, NoNodeError

from jobs.sources.zookeeper.connection.wire import (
    MultiRead,
    Operation,
    Reply,
    SingleRead,
    read_multi,
    read_one,
)

Read = Callable[[Sequence[Operation]], list[Reply]]
"""Performs operations in their order and returns the replies in the same order."""

MAX_OPERATIONS = 3_000
MAX_BYTES = 512 * 1024
"""The most that a multi-read request may weigh, and its reply is expected to: half the default `jute.maxbuffer`."""
FIRST_OPERATIONS = 50
IN_FLIGHT = 500
"""Single reads under way: half of what a server accepts from all its clients together (`globalOutstandingLimit`)."""

_OVERHEAD_BYTES = 14


class Sends(Protocol):
    """A session, as far as reading needs it: `result` waits for the answer that `send` returned."""

    def send(self, request: Any) -> Any: ...

    def result(self, answer: Any) -> Any: ...


class Pace:
    """Holds reads back so that they stay below a rate."""

    def __init__(self, reads_per_second: int) -> None:
        self.reads_per_second = reads_per_second
        self._free_at = 0.0

    def wait(self, reads: int) -> None:
        """Wait until so many more reads may be sent."""
        now = time.monotonic()
        start = max(now, self._free_at)
        self._free_at = start + reads / self.reads_per_second
        if start > now:
            time.sleep(start - now)


class MultiReader:
    """Reads in batches, two of them under way, and sizes each batch by the weight of the last reply.

    Every call begins with small batches again, since the znodes of the call before may have weighed much less.
    """

    def __init__(self, session: Sends, pace: Pace) -> None:
        self._session = session
        self._pace = pace
        self._limit = FIRST_OPERATIONS
        self._bytes_each = 0

    def __call__(self, operations: Sequence[Operation]) -> list[Reply]:
        """Send the batches, and parse each reply while the server works on the next batch."""
        replies: list[Reply] = []
        under_way: tuple[int, Any] | None = None
        self._limit = min(FIRST_OPERATIONS, self._most())
        for batch in self._batches(operations):
            self._pace.wait(len(batch))
            answer = self._session.send(MultiRead(batch))
            if under_way:
                replies += self._replies(*under_way)
            under_way = (len(batch), answer)
        if under_way:
            replies += self._replies(*under_way)
        return replies

    def _replies(self, count: int, answer: Any) -> list[Reply]:
        buffer, offset = self._session.result(answer)
        self._bytes_each = len(buffer) // count
        if count >= self._limit:
            self._limit = min(2 * count, self._most())
        return read_multi(buffer, offset)

    def _most(self) -> int:
        """The largest batch: no more operations than the rate allows in a tenth of a second."""
        return max(1, min(MAX_OPERATIONS, self._pace.reads_per_second // 10))

    def _batches(self, operations: Sequence[Operation]) -> Iterator[Sequence[Operation]]:
        start = 0
        while start < len(operations):
            end = start + self._fitting(operations, start)
            yield operations[start:end]
            start = end

    def _fitting(self, operations: Sequence[Operation], start: int) -> int:
        """How many operations from `start` fit into one batch; at least one."""
        asked = answered = 0
        for count, operation in enumerate(operations[start : start + self._limit]):
            asked += len(operation.path) * 3 + _OVERHEAD_BYTES
            answered += operation.expected_bytes or self._bytes_each
            if count and max(asked, answered) > MAX_BYTES:
                return count
        return min(self._limit, len(operations) - start)


class PipelinedReader:
    """Sends one request per operation, with at most `IN_FLIGHT` of them under way."""

    def __init__(self, session: Sends, pace: Pace) -> None:
        self._session = session
        self._pace = pace

    def __call__(self, operations: Sequence[Operation]) -> list[Reply]:
        replies: list[Reply] = []
        under_way: deque[tuple[int, Any]] = deque()
        for operation in operations:
            if len(under_way) == IN_FLIGHT:
                replies.append(self._reply(*under_way.popleft()))
            self._pace.wait(1)
            answer = self._session.send(SingleRead(operation.type, operation.path))
            under_way.append((operation.type, answer))
        replies += [self._reply(kind, answer) for kind, answer in under_way]
        return replies

    def _reply(self, kind: int, answer: Any) -> Reply:
        try:
            buffer, offset = self._session.result(answer)
        except (NoNodeError, NoAuthError) as error:
            code: int = error.code
            return code
        return read_one(kind, buffer, offset)[0]
