"""Asks servers whether they answer, in their own protocols."""

import socket
import struct

from jobs.lab.ports import HOST

_API_VERSIONS = 18
_TIMEOUT_S = 2


def zookeeper_answers(port: int) -> bool:
    """A ZooKeeper server on that port serves clients (`srvr`)."""
    return b"Mode:" in _ask(port, b"srvr")


def kafka_answers(port: int) -> bool:
    """A Kafka broker or controller on that port answers an ApiVersions request, version 0, without an error."""
    client = b"varve-lab"
    request = struct.pack(f">hhih{len(client)}s", _API_VERSIONS, 0, 1, len(client), client)
    reply = _ask(port, struct.pack(">i", len(request)) + request)
    return len(reply) >= 10 and struct.unpack(">ih", reply[4:10]) == (1, 0)


def _ask(port: int, request: bytes) -> bytes:
    try:
        with socket.create_connection((HOST, port), timeout=_TIMEOUT_S) as connection:
            connection.sendall(request)
            return connection.recv(4096)
    except OSError:
        return b""
