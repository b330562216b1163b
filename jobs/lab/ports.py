"""Ports on 127.0.0.1: which are free, and which server answers where, each asked in its own protocol."""

import random
import socket
import struct

HOST = "127.0.0.1"
# Below what Linux and macOS give to outgoing connections, so that a server that is
# restarted later finds its port as free as it left it.
_RANGE = range(15_000, 30_000)
_given: set[int] = set()
_API_VERSIONS = 18
_TIMEOUT_S = 2


def free_port() -> int:
    """A port that nobody listens on. This process is given each port once."""
    for port in random.sample(_RANGE, len(_RANGE)):
        if port not in _given and _is_free(port):
            _given.add(port)
            return port
    raise OSError(f"no free port between {_RANGE.start} and {_RANGE.stop} on {HOST}")


def zookeeper_answers(port: int) -> bool:
    """A ZooKeeper server on that port serves clients (`srvr`)."""
    return b"Mode:" in _ask(port, b"srvr")


def kafka_answers(port: int) -> bool:
    """A Kafka broker or controller on that port answers an ApiVersions request, version 0, without an error."""
    client = b"varve-lab"
    request = struct.pack(f">hhih{len(client)}s", _API_VERSIONS, 0, 1, len(client), client)
    reply = _ask(port, struct.pack(">i", len(request)) + request)
    return len(reply) >= 10 and struct.unpack(">ih", reply[4:10]) == (1, 0)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _ask(port: int, request: bytes) -> bytes:
    try:
        with socket.create_connection((HOST, port), timeout=_TIMEOUT_S) as connection:
            connection.sendall(request)
            return connection.recv(4096)
    except OSError:
        return b""
