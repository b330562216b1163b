"""Who Varve is to Kafka and whom it trusts."""

import ssl
from dataclasses import dataclass, field

from jobs.errors import SettingsError
from jobs.settings import resolve
from jobs.sources.kafka.settings import Auth, Settings
from jobs.sources.tls import Tls, existing_file


@dataclass(frozen=True)
class Identity:
    """How a connection is secured: TLS where there is a context, SASL where there is an `auth`."""

    context: ssl.SSLContext | None
    auth: Auth | None
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        who = f"as {self.auth.user} ({self.auth.mechanism})" if self.auth else "without a login"
        return f"{who}, {'over TLS' if self.context else 'without TLS'}"


def identity_of(settings: Settings) -> Identity:
    """The identity that the settings describe. Raises SettingsError when a secret or a file is not there."""
    context = _context(settings.tls) if settings.tls else None
    password = resolve(settings.auth.password) if settings.auth else ""
    return Identity(context, settings.auth, password)


def _context(tls: Tls) -> ssl.SSLContext:
    """Checks host names and certificates, as `create_default_context` does."""
    ca, certificate, key = (existing_file(path) for path in (tls.ca, tls.certificate, tls.key))
    # Without a password, not even an empty one, OpenSSL would ask for it on the terminal.
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
