"""Logs in with SASL over a new connection, before any other request (KIP-43, KIP-152)."""

from typing import Any, Protocol

from kafka.net.sasl import get_sasl_mechanism
from kafka.protocol.sasl import SaslAuthenticateRequest, SaslHandshakeRequest

from jobs.sources.kafka.connection.failures import RefusedError
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.settings import Auth
from schemas.snapshots import GapReason

_NO_LOGIN_EXPECTED = 34


class Asks(Protocol):
    """A connection to `server`, as far as a login needs it."""

    server: str

    def ask(self, request: Any, deadline: float) -> Any: ...


def log_in(connection: Asks, identity: Identity, deadline: float) -> None:
    """Log in as the identity's user, if it has one. Raises RefusedError with the reason when the server refuses it."""
    auth = identity.auth
    if auth is None:
        return
    offer = connection.ask(SaslHandshakeRequest(mechanism=auth.mechanism), deadline)
    if offer.error_code:
        raise RefusedError(GapReason.UNAUTHORIZED, _no_offer(connection.server, auth, offer))
    mechanism = get_sasl_mechanism(auth.mechanism)(
        sasl_mechanism=auth.mechanism,
        sasl_plain_username=_name(auth),
        sasl_plain_password=identity.password,
    )
    while not mechanism.is_done():
        reply = connection.ask(SaslAuthenticateRequest(mechanism.auth_bytes()), deadline)
        if reply.error_code:
            raise RefusedError(GapReason.UNAUTHORIZED, _no_entry(connection.server, auth))
        _go_on(mechanism, reply.auth_bytes, connection.server)


def _name(auth: Auth) -> str:
    """The name of the user; SCRAM escapes `=` and `,` in it (RFC 5802, section 5.1)."""
    return auth.user if auth.mechanism == "PLAIN" else auth.user.replace("=", "=3D").replace(",", "=2C")


def _go_on(mechanism: Any, answer: bytes, server: str) -> None:
    try:
        mechanism.receive(answer)
    except (ValueError, KeyError) as error:
        message = (
            f"{server} did not prove that it knows the password: check that this is the cluster you mean"
        )
        raise RefusedError(GapReason.UNAUTHORIZED, message) from error


def _no_offer(server: str, auth: Auth, offer: Any) -> str:
    if offer.error_code == _NO_LOGIN_EXPECTED:
        return f"{server} expects no login: name the port of its SASL listener, or leave out auth"
    return (
        f"{server} does not offer the SASL mechanism {auth.mechanism} but {', '.join(offer.mechanisms)}: "
        "set auth.mechanism to one of these"
    )


def _no_entry(server: str, auth: Auth) -> str:
    return (
        f"{server} does not let {auth.user} in by {auth.mechanism}: check auth.user, and the environment variable "
        f"{auth.password} for its password"
    )
