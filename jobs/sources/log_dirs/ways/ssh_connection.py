"""An SSH connection to a broker's host. Host and Varve each prove by a key who they are."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh

from jobs.errors import NotReadError, SettingsError
from jobs.settings import resolve
from jobs.sources.log_dirs.settings import SSH_PORT, SshLogDirs
from jobs.wording import printable
from schemas.snapshots import GapReason

_KNOWN_HOSTS = (Path("~/.ssh/known_hosts"), Path("/etc/ssh/ssh_known_hosts"))
_FAST_CIPHERS = "aes128-gcm@openssh.com,aes256-gcm@openssh.com"


@asynccontextmanager
async def connection_to(entry: SshLogDirs, timeout_s: float) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """A connection that ends with the context.

    Raises NotReadError where the host cannot be reached, is not the known one, or refuses Varve.
    """
    known_hosts = _known_hosts(entry)
    try:
        connection = await asyncssh.connect(
            **_address(entry),
            **_key(entry),
            known_hosts=known_hosts or b"",
            preferred_auth="publickey",
            encryption_algs=f"^{_FAST_CIPHERS}",
            connect_timeout=timeout_s,
            login_timeout=timeout_s,
        )
    except asyncssh.HostKeyNotVerifiable:
        raise _distrusted(entry, known_hosts) from None
    except asyncssh.KeyExchangeFailed:
        raise _nothing_in_common(entry) from None
    except asyncssh.PermissionDenied:
        raise _refused(entry, "put Varve's public key into that account's authorized_keys") from None
    except (asyncssh.KeyEncryptionError, asyncssh.KeyImportError):
        key = entry.key or "that ~/.ssh/config names"
        raise _refused(entry, f"the key {key} is none, or `key_passphrase` does not open it") from None
    except ValueError as error:  # of asyncssh's own readers, and of host names
        raise _misconfigured(entry, str(error)) from None
    except (asyncssh.ConnectionLost, ConnectionResetError):
        raise _shut_out(entry) from None
    except (asyncssh.Error, OSError) as error:
        if filename := getattr(error, "filename", None):
            raise _misconfigured(entry, f"{filename}: {_told(error)}") from None
        raise lost(entry.ssh, error, timeout_s) from None
    async with connection:
        yield connection


def _misconfigured(entry: SshLogDirs, what: str) -> NotReadError:
    return NotReadError(
        GapReason.UNREACHABLE,
        f"{entry.ssh} cannot be read over SSH ({printable(what)}): look at varve.yaml, known_hosts and ~/.ssh/config.",
    )


def lost(host: str, error: Exception, timeout_s: float) -> NotReadError:
    """Why there is no connection, or why it ended."""
    told = f"no answer within {timeout_s:g} s" if isinstance(error, TimeoutError) else printable(_told(error))
    return NotReadError(
        GapReason.UNREACHABLE,
        f"{host} cannot be read over SSH ({told}): check that the host and its sshd are up.",
    )


def _told(error: Exception) -> str:
    return str(getattr(error, "reason", "") or getattr(error, "strerror", "") or type(error).__name__)


def _address(entry: SshLogDirs) -> dict[str, Any]:
    address = entry.address
    given = {"host": str(address["host"]).strip("[]"), "username": address["user"], "port": address["port"]}
    known = {name: value for name, value in given.items() if value is not None}
    return known | ({"port": int(known["port"])} if "port" in known else {})


def _key(entry: SshLogDirs) -> dict[str, Any]:
    if entry.key is None:
        return {}
    if not entry.key.is_file():
        raise _refused(entry, f"there is no file {entry.key}, and `key` in varve.yaml names it")
    try:
        passphrase = resolve(entry.key_passphrase) if entry.key_passphrase else None
    except SettingsError as error:
        raise NotReadError(GapReason.UNAUTHORIZED, str(error)) from None
    return {"client_keys": [str(entry.key)], "passphrase": passphrase}


def _known_hosts(entry: SshLogDirs) -> list[str]:
    """The files, which are always named: otherwise asyncssh checks no host where ~/.ssh/config says so."""
    files = [entry.known_hosts] if entry.known_hosts else [path.expanduser() for path in _KNOWN_HOSTS]
    return [str(path) for path in files if path.is_file()]


def _host_and_port(entry: SshLogDirs) -> tuple[str, int]:
    address = entry.address
    return str(address["host"]).strip("[]"), int(address["port"] or SSH_PORT)


def _distrusted(entry: SshLogDirs, known_hosts: list[str]) -> NotReadError:
    host, port = _host_and_port(entry)
    files = ", ".join(known_hosts) or "known_hosts, which is not there"
    matched = asyncssh.match_known_hosts(known_hosts or b"", host, "", port if port != SSH_PORT else None)
    if matched[0]:
        return NotReadError(
            GapReason.UNAUTHORIZED,
            f"{entry.ssh} shows another host key than the one in {files} (`ssh-keyscan -p {port} {host}` shows those it "
            "has): find out why, and only then put the new one in its place.",
        )
    return NotReadError(
        GapReason.UNAUTHORIZED,
        f"The host key of {entry.ssh} is not in {files}: compare it on the host itself, then add it "
        f"(ssh-keyscan -p {port} {host}).",
    )


def _nothing_in_common(entry: SshLogDirs) -> NotReadError:
    return NotReadError(
        GapReason.UNREACHABLE,
        f"{entry.ssh} and Varve have no way in common to speak SSH, or the host has {_other_kind(entry)}.",
    )


def _shut_out(entry: SshLogDirs) -> NotReadError:
    return NotReadError(
        GapReason.UNREACHABLE,
        f"{entry.ssh} ends the connection before any login: see the log of its sshd. It does so, too, where it has "
        f"{_other_kind(entry)}.",
    )


def _other_kind(entry: SshLogDirs) -> str:
    host, port = _host_and_port(entry)
    return f"no host key of the kind in known_hosts; `ssh-keyscan -p {port} {host}` shows those it has"


def _refused(entry: SshLogDirs, remedy: str) -> NotReadError:
    return NotReadError(GapReason.UNAUTHORIZED, f"{entry.ssh} does not let Varve in: {remedy}.")
