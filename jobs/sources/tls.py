"""The `tls` settings of a source in varve.yaml."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from jobs.errors import SettingsError
from jobs.settings import Secret


class Tls(BaseModel):
    """TLS to the servers, with PEM files. A server's certificate must be for the host name it is reached by.

    `ca` is needed when none of the system's own authorities has signed the servers' certificates, `certificate` and
    `key` when the servers ask their clients for a certificate.
    """

    model_config = ConfigDict(extra="forbid")

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    key_password: Secret | None = None


def existing_file(path: Path | None) -> str | None:
    """The path as text, None when there is none. Raises SettingsError when the file does not exist."""
    if path is not None and not path.is_file():
        raise SettingsError(
            f"There is no file {path}: correct the tls settings of the cluster in varve.yaml."
        )
    return str(path) if path else None
