"""A proxy in front of an S3 server that counts what is asked of it, and can make each request take longer."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from jobs.lab.ports import HOST

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CONDITION = re.compile(rb"\r\nif-none-match: *\*", re.IGNORECASE)
_AT_ONCE = 65_536


class Request(NamedTuple):
    """What was asked: LIST, GET, HEAD, PUT, CREATE (a PUT that is to be the first), DELETE or POST, and of what key."""

    kind: str
    key: str


class S3Proxy:
    """The address that stands for a server, and all that was asked there so far."""

    def __init__(self, endpoint: str, delay_s: float) -> None:
        self.delay_s = delay_s
        self.requests: list[Request] = []
        self.bytes_up = self.bytes_down = 0
        self.endpoint = ""
        self._of = urlsplit(endpoint)

    @property
    def kinds(self) -> Counter[str]:
        """How often each kind was asked."""
        return Counter(request.kind for request in self.requests)

    def reset(self) -> None:
        """Count anew."""
        self.requests.clear()
        self.bytes_up = self.bytes_down = 0

    async def serve(self) -> asyncio.Server:
        """Begin to listen at a free port."""
        server = await asyncio.start_server(self._connected, HOST, 0, limit=1 << 20)
        self.endpoint = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
        return server

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._of.hostname, self._of.port)
        down = asyncio.create_task(self._answers(up_reader, writer))
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                await self._ask(reader, up_writer)
        up_writer.close()
        with suppress(OSError):
            await down

    async def _ask(self, reader: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        """Pass one request on. What a client waits for before it sends the body, the server answers by itself."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(_request(head))
        await asyncio.sleep(self.delay_s)
        server.write(head)
        length = _LENGTH.search(head)
        left = int(length[1]) if length else 0
        self.bytes_up += left
        while left:
            part = await reader.read(min(left, _AT_ONCE))
            if not part:
                return
            left -= len(part)
            server.write(part)
        await server.drain()

    async def _answers(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(_AT_ONCE):
                self.bytes_down += len(part)
                client.write(part)
                await client.drain()
        client.close()


@contextmanager
def s3_proxy(endpoint: str, delay_s: float = 0.0) -> Iterator[S3Proxy]:
    """The proxy, in a thread of its own."""
    loop, proxy = asyncio.new_event_loop(), S3Proxy(endpoint, delay_s)
    loop.run_until_complete(proxy.serve())
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(_cut(asyncio.all_tasks(loop)))
        loop.close()


async def _cut(connections: set[asyncio.Task[None]]) -> None:
    for each in connections:
        each.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


def _request(head: bytes) -> Request:
    method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
    asked = urlsplit(target)
    if method == "GET" and ("list-type=" in asked.query or "prefix=" in asked.query):
        prefix = re.search(r"prefix=([^&]*)", asked.query)
        return Request("LIST", unquote(prefix[1]) if prefix else "")
    is_first = method == "PUT" and _CONDITION.search(head)
    return Request("CREATE" if is_first else method, unquote(asked.path).split("/", 2)[-1])
