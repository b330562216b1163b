"""A connection that breaks, or falls silent, in the middle of what is sent over it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def cut_after(port: int, count: int, silence_s: float = 0) -> Iterator[int]:
    """A way to the port that ends, or is silent so long before, once the server has sent so many bytes."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        over = threading.Event()
        relay = threading.Thread(target=_relay, args=(door, port, count, silence_s, over), daemon=True)
        relay.start()
        yield door.getsockname()[1]
        over.set()
    relay.join(10)


def _relay(door: socket.socket, port: int, count: int, silence_s: float, over: threading.Event) -> None:
    client, _ = door.accept()
    with client, socket.create_connection(("127.0.0.1", port)) as server:
        forward = threading.Thread(target=_pump, args=(client, server, 1 << 40), daemon=True)
        forward.start()
        _pump(server, client, count)
        over.wait(silence_s)
        for end in (client, server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        forward.join(10)


def _pump(source: socket.socket, target: socket.socket, count: int) -> None:
    while count > 0 and (data := source.recv(min(count, 65_536))):
        target.sendall(data)
        count -= len(data)
