"""One connection to a broker or a controller; every wait has a deadline.

The messages are kafka-python's, the sockets are Varve's own: kafka-python's client cannot begin with a controller, does
not tell why a TLS handshake or a login failed, and keeps a whole reply in memory as objects.
"""

import socket
import time
from typing import Any

from kafka.errors import UnsupportedVersionError, for_code
from kafka.protocol.frame import KafkaBytes
from kafka.protocol.metadata import ApiVersionsRequest

from jobs.sources.kafka.connection.failures import NoAnswerError, RefusedError, failure
from jobs.sources.kafka.connection.frame import Frame, making_sense
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.sasl import log_in
from schemas.snapshots import GapReason

_LARGEST_REPLY = 256 * 1024 * 1024
_API_VERSIONS = 3
"""The version of ApiVersions with features (KIP-584); a broker before 2.4 answers it with an error, in version 0."""
_TLS_ALERT = b"\x15\x03"


class Connection:
    """Sends requests to one server, one after the other.

    `deadline` is an instant of the monotonic clock. Every method raises NoAnswerError when the connection fails or the
    deadline has passed, and RefusedError when the server refuses Varve or Varve does not trust the server.
    """

    def __init__(self, server: str, identity: Identity, deadline: float) -> None:
        self.server = server
        self._is_tls = identity.context is not None
        self._asked = 0
        self._versions: dict[int, tuple[int, int]] = {}
        self._socket = self._connect(identity, deadline)
        try:
            self._negotiate(deadline)
            if identity.auth:
                log_in(self, identity, deadline)
        except BaseException:
            self.close()
            raise

    def knows(self, request: Any) -> bool:
        """Whether the server supports requests of this kind."""
        return request.API_KEY in self._versions

    def ask(self, request: Any, deadline: float) -> Any:
        """The decoded reply. Raises UnsupportedVersionError when the server does not support the request."""
        return self.frame(request, deadline).decode()

    def frame(self, request: Any, deadline: float) -> Frame:
        """The reply as it came over the wire, in the newest version that both sides know."""
        request.API_VERSION = self._version(request)
        self._asked += 1
        request.with_header(correlation_id=self._asked, client_id="varve")
        try:
            self._send(request.encode(framed=True, header=True), deadline)
            reply = self._receive(self._size(deadline), deadline)
        except OSError as error:
            raise failure(error, self.server, self._is_tls) from error
        kind = request.header.get_response_class()
        with making_sense(kind):
            answered = kind.parse_header(reply).correlation_id
        if answered != self._asked:
            raise NoAnswerError(f"{self.server} answers another question than the one that was asked")
        return Frame(kind, request.API_VERSION, reply)

    def close(self) -> None:
        self._socket.close()

    def _connect(self, identity: Identity, deadline: float) -> socket.socket:
        host, _, port = self.server.rpartition(":")
        host = host.strip("[]")
        try:
            plain = socket.create_connection((host, int(port)), timeout=_left(deadline))
            if identity.context is None:
                return plain
            return identity.context.wrap_socket(plain, server_hostname=host)
        except OSError as error:
            raise failure(error, self.server, self._is_tls) from error
        except UnicodeError:
            raise NoAnswerError(f"{host[:64]} is no legal name of a host") from None

    def _negotiate(self, deadline: float) -> None:
        for version in (_API_VERSIONS, 0):
            self._versions = {ApiVersionsRequest.API_KEY: (version, version)}
            software = {"client_software_name": "varve", "client_software_version": "1"}
            reply = self.ask(ApiVersionsRequest(version=version, **software), deadline)
            if not reply.error_code:
                break
        else:
            raise for_code(reply.error_code)
        self._versions = {api.api_key: (api.min_version, api.max_version) for api in reply.api_keys}

    def _version(self, request: Any) -> int:
        oldest, newest = self._versions.get(request.API_KEY, (0, -1))
        version = min(newest, request.max_version)
        if version < oldest:
            raise UnsupportedVersionError(f"{self.server} does not know {request.name}")
        return int(version)

    def _send(self, message: bytes, deadline: float) -> None:
        self._socket.settimeout(_left(deadline))
        self._socket.sendall(message)

    def _size(self, deadline: float) -> int:
        head = bytes(self._receive(4, deadline))
        if head.startswith(_TLS_ALERT):
            raise RefusedError(GapReason.UNREACHABLE, f"{self.server} speaks TLS only: say so with tls")
        size = int.from_bytes(head, "big")
        if size > _LARGEST_REPLY:
            raise RefusedError(
                GapReason.UNREACHABLE, f"{self.server} does not speak Kafka's protocol: check its port"
            )
        return size

    def _receive(self, size: int, deadline: float) -> KafkaBytes:
        buffer = KafkaBytes(size)
        empty = memoryview(buffer)
        while empty:
            self._socket.settimeout(_left(deadline))
            count = self._socket.recv_into(empty)
            if not count:
                also = " (does its listener ask for TLS or for a login?)"
                raise NoAnswerError(f"{self.server} ended the connection{also}")
            empty = empty[count:]
        return buffer


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
