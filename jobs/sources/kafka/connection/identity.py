"""Turns the auth and tls settings into what a connection needs: a TLS context and a login."""

import ssl
from dataclasses import dataclass, field

from jobs.errors import SettingsError
from jobs.settings import resolve
from jobs.sources.kafka.settings import Auth, Settings
from jobs.sources.tls import Tls, existing_file


@dataclass(frozen=True)
class Identity:
    """How a connection is secured: by TLS when there is a `context`, and by a SASL login when there is an `auth`."""

    context: ssl.SSLContext | None
    auth: Auth | None
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        who = f"as {self.auth.user} ({self.auth.mechanism})" if self.auth else "without a login"
        return f"{who}, {'over TLS' if self.context else 'without TLS'}"


def identity_of(settings: Settings) -> Identity:
    """The identity that the settings describe. Raises SettingsError when a secret is not set or a file does not exist."""
    context = _context(settings.tls) if settings.tls else None
    password = resolve(settings.auth.password) if settings.auth else ""
    return Identity(context, settings.auth, password)


def _context(tls: Tls) -> ssl.SSLContext:
    """A context that checks certificates and host names, as `create_default_context` sets it up."""
    ca, certificate, key = (existing_file(path) for path in (tls.ca, tls.certificate, tls.key))
    # Without at least an empty password OpenSSL would ask for one on the terminal.
    password = resolve(tls.key_password) if tls.key_password else ""
    try:
        context = ssl.create_default_context(cafile=ca)
        if certificate:
            context.load_cert_chain(certificate, key, password)
    except ssl.SSLError as error:
        named = ", ".join(path for path in (ca, certificate, key) if path)
        raise SettingsError(
            f"The files of a cluster's tls settings in varve.yaml ({named}) cannot be used ({error.reason}): "
            "they must be PEM, the key must belong to the certificate, and key_password must open it."
        ) from error
    return context
