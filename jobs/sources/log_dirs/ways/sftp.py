"""Log dirs over SSH, by SFTP alone: an account that may only read files and run nothing suffices.

Every wait ends within a deadline.
"""

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from stat import S_IFMT, S_ISLNK
from typing import cast

import asyncssh

from jobs.errors import NotReadError
from jobs.sources.log_dirs.settings import SshLogDirs
from jobs.sources.log_dirs.ways.disk import FILE, FileSystem, KnownStat, Stat
from jobs.sources.log_dirs.ways.ssh_connection import connection_to, lost
from schemas.snapshots import GapReason

_MISSING = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath)
_LOST = (asyncssh.SFTPConnectionLost, asyncssh.SFTPNoConnection, asyncssh.DisconnectError)


@asynccontextmanager
async def sftp_disk(entry: SshLogDirs, timeout_s: float) -> AsyncIterator["SftpDisk"]:
    """A session to a broker's host that ends with the context.

    Raises NotReadError where the host cannot be reached, is not the known one, or refuses Varve.
    """
    async with connection_to(entry, timeout_s) as connection:
        try:
            async with asyncio.timeout(timeout_s):
                client = await connection.start_sftp_client(path_errors="surrogateescape")
        except (asyncssh.DisconnectError, TimeoutError) as error:
            raise lost(entry.ssh, error, timeout_s) from None
        except asyncssh.Error as error:
            raise NotReadError(
                GapReason.UNAUTHORIZED,
                f"{entry.ssh} lets Varve in and starts no SFTP ({type(error).__name__}): give that account the "
                "subsystem sftp (internal-sftp) in sshd_config.",
            ) from None
        yield SftpDisk(client, connection, entry.ssh, timeout_s)


class SftpDisk:
    """What is asked of an SFTP server."""

    shows_all = True

    def __init__(
        self,
        client: asyncssh.SFTPClient,
        connection: asyncssh.SSHClientConnection,
        host: str,
        timeout_s: float,
    ) -> None:
        self._client, self._connection, self._host, self._timeout_s = client, connection, host, timeout_s
        self._is_given_up = False

    async def file_system(self, path: str) -> FileSystem:
        """Some servers do not tell it. SFTP knows no inodes, so it is the file system's id that tells a new one."""
        try:
            async with self._asking():
                found = await self._client.statvfs(path)
        except OSError as error:
            if error.errno == errno.EOPNOTSUPP:
                return FileSystem()
            raise
        return FileSystem(found.fsid, found.blocks * found.frsize, found.bavail * found.frsize)

    async def list(self, path: str) -> dict[str, Stat]:
        async with self._asking():
            return {
                str(each.filename): await self._behind(f"{path}/{each.filename!s}", _stat(each.attrs))
                async for each in self._client.scandir(path)
                if each.filename not in (".", "..")
            }

    async def _behind(self, path: str, found: Stat) -> Stat:
        if not S_ISLNK(found.st_mode):
            return found
        try:
            return _stat(await self._client.stat(path))
        except _LOST:
            raise
        except asyncssh.SFTPError:
            return found

    async def stat(self, path: str) -> Stat:
        async with self._asking():
            return _stat(await self._client.stat(path))

    async def read(self, path: str, size: int) -> tuple[bytes, Stat]:
        async with self._asking(), self._client.open(path, "rb", encoding=None) as file:
            content = cast(bytes, await file.read(size)) if size else b""  # opened without an encoding
            return content, _stat(await file.stat())

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """Within the time. Then the connection is cut: what was opened is closed, and that waits for a reply, too."""
        late = asyncio.get_running_loop().call_later(self._timeout_s, self._give_up)
        try:
            with _as_a_disk_would():
                yield
        except _LOST as error:
            why = TimeoutError() if self._is_given_up else error
            raise lost(self._host, why, self._timeout_s) from None
        finally:
            late.cancel()

    def _give_up(self) -> None:
        self._is_given_up = True
        self._connection.abort()


def _stat(attrs: asyncssh.SFTPAttrs) -> Stat:
    """A server that tells no kind is believed to tell of a file."""
    mode = attrs.permissions or 0
    return KnownStat(mode if S_IFMT(mode) else FILE, attrs.size or 0, (attrs.mtime or 0) * 1_000_000_000)


@contextmanager
def _as_a_disk_would() -> Iterator[None]:
    """Turns the errors of SFTP into those that the operating system would raise."""
    try:
        yield
    except _LOST:
        raise
    except _MISSING as error:
        raise FileNotFoundError(errno.ENOENT, error.reason) from None
    except asyncssh.SFTPPermissionDenied as error:
        raise PermissionError(errno.EACCES, error.reason) from None
    except asyncssh.SFTPOpUnsupported as error:
        raise OSError(errno.EOPNOTSUPP, error.reason) from None
    except asyncssh.SFTPError as error:
        raise OSError(errno.EIO, error.reason) from None
