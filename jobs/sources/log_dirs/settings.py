"""Settings of the log dirs source."""

import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from jobs.settings import Secret

WAYS = ("local", "ssh", "exec", "archive")

SSH_PORT = 22
_SSH = re.compile(r"(?:(?P<user>[^@:\s]+)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^@:\s\[\]]+)(?::(?P<port>\d{1,5}))?")


def _expanded(path: Path) -> Path:
    path = path.expanduser()
    if not path.is_absolute():
        raise ValueError(f"{path} is not absolute: write the whole path, from /")
    return path


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"{path} is not absolute: write the path as in the broker's log.dirs, from /")
    return path


def _ssh_address(text: str) -> str:
    match = _SSH.fullmatch(text)
    if not match or not 0 < int(match["port"] or SSH_PORT) < 1 << 16:
        raise ValueError("write user@host or user@host:port, without a password: Varve logs in with a key")
    return text


HereFile = Annotated[Path, AfterValidator(_expanded)]
"""A file or folder on this machine; `~` is the home of the user Varve runs as."""
BrokerPaths = Annotated[list[Annotated[Path, AfterValidator(_absolute)]], Field(min_length=1)]
"""Entries of a broker's `log.dirs`."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    broker: int = Field(ge=0)


class _RemoteEntry(_Entry):
    paths: BrokerPaths


class LocalLogDirs(_Entry):
    """Log dirs of a broker or controller that this machine can read as files."""

    local: BrokerPaths

    @property
    def paths(self) -> list[Path]:
        return self.local


class SshLogDirs(_RemoteEntry):
    """Log dirs that are read over SFTP; host keys are always checked.

    Keys and known hosts are those `ssh` itself would use (agent, ~/.ssh) unless `key` or `known_hosts` name files.
    """

    ssh: Annotated[str, AfterValidator(_ssh_address)]
    key: HereFile | None = None
    key_passphrase: Secret | None = None
    known_hosts: HereFile | None = None

    @property
    def address(self) -> dict[str, str | None]:
        """`user`, `host` and `port`; None for what is not given."""
        match = _SSH.fullmatch(self.ssh)
        assert match
        return match.groupdict()


class ExecLogDirs(_RemoteEntry):
    """Log dirs in the tar stream that a command prints; the command is run as it is, without a shell."""

    exec: list[str] = Field(min_length=1)


class ArchiveLogDirs(_RemoteEntry):
    """Log dirs in a tar file, compressed or not, or in a folder."""

    archive: HereFile


def _way(raw: Any) -> str | None:
    if isinstance(raw, dict):
        return next((way for way in WAYS if way in raw), None)
    return next((way for way in WAYS if hasattr(raw, way)), None)


BrokerLogDirs = Annotated[
    Annotated[LocalLogDirs, Tag("local")]
    | Annotated[SshLogDirs, Tag("ssh")]
    | Annotated[ExecLogDirs, Tag("exec")]
    | Annotated[ArchiveLogDirs, Tag("archive")],
    Discriminator(
        _way,
        custom_error_type="no_way",
        custom_error_message="says no way to its log dirs: give one of local, ssh, exec, archive",
    ),
]
"""One broker or controller and one way to its log dirs."""


class Settings(BaseModel):
    """The log dirs of all brokers that are read; a plain list of brokers is short for `{brokers: [...]}`.

    `at_once` brokers are read side by side. `timeout_s` bounds every wait for a host or a command, `max_bytes`
    what is read from one broker, `max_snapshot_bytes` the one metadata checkpoint that is read from a controller.
    """

    model_config = ConfigDict(extra="forbid")

    brokers: list[BrokerLogDirs] = Field(min_length=1)
    at_once: int = Field(default=4, gt=0)
    timeout_s: float = Field(default=30, gt=0)
    max_bytes: int = Field(default=1 << 30, gt=0)
    max_snapshot_bytes: int = Field(default=256 << 20, gt=0)

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_list(cls, raw: Any) -> Any:
        return {"brokers": raw} if isinstance(raw, list) else raw

    @model_validator(mode="after")
    def _are_named_once(self) -> "Settings":
        named = Counter((entry.broker, path) for entry in self.brokers for path in entry.paths)
        for (broker, path), times in named.items():
            if times > 1:
                raise ValueError(f"{path} of broker {broker} is named twice")
        return self

    @property
    def scopes(self) -> list[str]:
        """Where the log dirs stand that these settings name."""
        return [f"/{entry.broker}{path}" for entry in self.brokers for path in entry.paths]
