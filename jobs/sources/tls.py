"""What varve.yaml says of TLS, for every source that speaks it."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from jobs.errors import SettingsError
from jobs.settings import Secret


class Tls(BaseModel):
    """TLS to the servers; their certificates must be for the host names they are reached by. PEM files.

    `ca` is needed where the system's own authorities do not vouch for the servers, `certificate` and `key` where
    the servers ask who Varve is.
    """

    model_config = ConfigDict(extra="forbid")

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    key_password: Secret | None = None


def existing_file(path: Path | None) -> str | None:
    """The path of a file that is there, if one is named. Raises SettingsError when it is not there."""
    if path is not None and not path.is_file():
        raise SettingsError(f"There is no file {path}, and a cluster's tls settings in varve.yaml name it.")
    return str(path) if path else None
