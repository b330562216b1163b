"""Why there is no connection to a server, in words that say what to do."""

import socket
import ssl

from kafka.errors import KafkaConnectionError, KafkaError

from jobs.errors import NotReadError
from schemas.snapshots import GapReason

_NAME_MISMATCHES = (62, 64)
"""OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH."""
_ENDS = (ssl.SSLEOFError, ConnectionResetError, BrokenPipeError)
_NOT_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"}


class NoAnswerError(KafkaConnectionError):  # type: ignore[misc]
    """A server did not answer in time, or ended the connection; another may answer."""

    def __str__(self) -> str:
        return str(self.args[0])


class RefusedError(NotReadError, KafkaError):  # type: ignore[misc]
    """A server and Varve do not accept each other; asking again changes nothing.

    It is one of Kafka's errors, too, because the client's callers catch those.
    """

    def __str__(self) -> str:
        return str(self.args[0])


def failure(error: OSError, server: str, is_tls: bool) -> KafkaError:
    """What an error of the socket means."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return RefusedError(GapReason.UNREACHABLE, _distrust(error, server))
    if is_tls and isinstance(error, _ENDS):
        return NoAnswerError(
            f"{server} ends the connection (is its listener one without TLS, or does it ask for a certificate?)"
        )
    if isinstance(error, ssl.SSLError):
        return _alert(error, server)
    if isinstance(error, socket.gaierror):
        return NoAnswerError(f"the host of {server} is not known here")
    if isinstance(error, TimeoutError):
        return NoAnswerError(f"{server} does not answer in time")
    return NoAnswerError(f"{server}: {error.strerror or error}")


def _distrust(error: ssl.SSLCertVerificationError, server: str) -> str:
    if error.verify_code in _NAME_MISMATCHES:
        return (
            f"the certificate of {server} is for another name ({error.verify_message}): "
            "reach the server by a name that stands in its certificate"
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
