"""The errors of a connection to Kafka, with messages that say what to do."""

import socket
import ssl
from typing import Any

from kafka.errors import KafkaConnectionError, KafkaError, UnknownError, for_code

from jobs.errors import NotReadError
from schemas.snapshots import GapReason

_NAME_MISMATCHES = (62, 64)
"""OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH."""
_ENDS = (ssl.SSLEOFError, ConnectionResetError, BrokenPipeError)
_NOT_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"}

_NEWER_NAMES = {-1: "UNKNOWN_SERVER_ERROR", 6: "NOT_LEADER_OR_FOLLOWER"}
"""Of `org.apache.kafka.common.protocol.Errors`, where kafka-python has others."""


class NoAnswerError(KafkaConnectionError):  # type: ignore[misc]
    """A server did not answer in time or closed the connection; another server may answer."""

    def __str__(self) -> str:
        return str(self.args[0])


class RefusedError(NotReadError, KafkaError):  # type: ignore[misc]
    """A server refuses Varve or Varve does not trust the server; a retry is useless.

    It is a KafkaError too, because the client's callers catch those.
    """

    def __str__(self) -> str:
        return str(self.args[0])


def raise_for(reply: dict[str, Any]) -> None:
    """Raise the KafkaError that the error code of a reply, or of one item in it, stands for."""
    if reply.get("error_code"):
        raise for_code(reply["error_code"])(reply.get("error_message") or "")


def error_name(code: int) -> str | None:
    """Kafka's name of an error code, such as KAFKA_STORAGE_ERROR; None for 0. One of a newer Kafka is named by its number."""
    if not code:
        return None
    name: str = _NEWER_NAMES.get(code) or for_code(code).message
    return f"UNKNOWN_{code}" if name == UnknownError.message else name


def failure(error: OSError, server: str, is_tls: bool) -> KafkaError:
    """The error to raise for an error of the socket."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return RefusedError(GapReason.UNREACHABLE, _distrust(error, server))
    if is_tls and isinstance(error, _ENDS):
        return NoAnswerError(
            f"{server} ends the connection (is its listener one without TLS, or does it ask for a certificate?)"
        )
    if isinstance(error, ssl.SSLError):
        return _alert(error, server)
    if isinstance(error, socket.gaierror):
        return NoAnswerError(f"the host name of {server} cannot be resolved here")
    if isinstance(error, TimeoutError):
        return NoAnswerError(f"{server} does not answer in time")
    return NoAnswerError(f"{server}: {error.strerror or error}")


def _distrust(error: ssl.SSLCertVerificationError, server: str) -> str:
    if error.verify_code in _NAME_MISMATCHES:
        return (
            f"the certificate of {server} is for another name ({error.verify_message}): "
            "reach the server by a name that is in its certificate"
        )
    return (
        f"the certificate of {server} is not trusted ({error.verify_message}): "
        "name the authority that signed it as tls.ca, if this is the server you mean"
    )


def _alert(error: ssl.SSLError, server: str) -> RefusedError:
    if error.reason in _NOT_TLS:
        return RefusedError(
            GapReason.UNREACHABLE,
            f"{server} does not speak TLS: name the port of its TLS listener, or leave out tls",
        )
    return RefusedError(
        GapReason.UNAUTHORIZED,
        f"{server} does not accept Varve's TLS handshake ({error.reason}): if it asks its clients for a "
        "certificate, give tls.certificate and tls.key",
    )
