"""An SSH server on loopback that serves nothing but SFTP: OpenSSH's where there is one, otherwise asyncssh's own.

Where the tests run as root, OpenSSH's serves the account `nobody`, who may not read everything.
"""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from jobs.lab.ports import free_port

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/lib/ssh")
USER = "nobody" if SSHD and os.geteuid() == 0 else getpass.getuser()
NO_SSHD = "asyncssh's server stood in for OpenSSH's: apt-get install openssh-server (it need not run)"
SERVE = """
import asyncio, sys, asyncssh
async def serve(port, key, clients):
    await asyncssh.listen("127.0.0.1", port, server_host_keys=[key], authorized_client_keys=clients,
                          sftp_factory=len(sys.argv) > 4, allow_scp=False)
    await asyncio.Event().wait()
asyncio.run(serve(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
"""
CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host_key
AuthorizedKeysFile {home}/authorized_keys
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
"""
SFTP = "Subsystem sftp internal-sftp\nForceCommand internal-sftp -R\n"
NO_SFTP = "ForceCommand false\n"


class SshServer:
    """A server with one host key that lets one client key in."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.key, self.known_hosts = home / "client_key", home / "known_hosts"
        self.address = f"{USER}@127.0.0.1:{self.port}"
        _write_key(self.key)
        shutil.copyfile(f"{self.key}.pub", home / "authorized_keys")
        self.start()

    @property
    def may_read_everything(self) -> bool:
        """Whether its account is root."""
        return USER == "root"

    def start(self, serves_sftp: bool = True) -> None:
        """Start with a new host key that `known_hosts` tells."""
        _write_key(self.home / "host_key")
        shown = (self.home / "host_key.pub").read_text()
        self.known_hosts.write_text(f"[127.0.0.1]:{self.port} {shown}")
        (self.home / "sshd_config").write_text(
            CONFIG.format(port=self.port, home=self.home) + (SFTP if serves_sftp else NO_SFTP)
        )
        command = [*self._command(), "sftp"] if serves_sftp and not SSHD else self._command()
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self._wait()

    def stop(self) -> None:
        """End the server and every connection to it."""
        self._process.kill()
        self._process.wait()

    def _command(self) -> list[str]:
        if SSHD:
            if os.geteuid() == 0:
                Path("/run/sshd").mkdir(exist_ok=True)  # where OpenSSH gives up its rights
            return [SSHD, "-D", "-e", "-f", str(self.home / "sshd_config")]
        files = [str(self.home / "host_key"), str(self.home / "authorized_keys")]
        return [sys.executable, "-c", SERVE, str(self.port), *files]

    def _wait(self) -> None:
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert self._process.poll() is None, "the SSH server ended at once"
                assert time.monotonic() < deadline
                time.sleep(0.05)


def _write_key(path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(str(path))
    key.write_public_key(f"{path}.pub")
    path.chmod(0o600)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that other accounts may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="varve-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def ssh_server(shared: Path, request: pytest.FixtureRequest) -> Iterator[SshServer]:
    if not SSHD:
        request.node.user_properties.append(("not tested", NO_SSHD))
    server = SshServer(shared)
    yield server
    server.stop()
