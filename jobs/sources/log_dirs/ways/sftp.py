"""An SFTP session to a broker's host, every wait of it within a deadline."""

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from stat import S_ISDIR, S_ISLNK
from typing import cast

import asyncssh

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import File
from jobs.sources.log_dirs.explain import too_large, unsettled
from jobs.sources.log_dirs.settings import SshLogDirs
from jobs.sources.log_dirs.ways.ssh_connection import connection_to, lost
from schemas.snapshots import GapReason

_ATTEMPTS = 3
_MISSING = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath)
_LOST = (asyncssh.SFTPConnectionLost, asyncssh.SFTPNoConnection, asyncssh.DisconnectError)


@asynccontextmanager
async def connected(entry: SshLogDirs, timeout_s: float) -> AsyncIterator["Sftp"]:
    """A session that ends with the context. Raises NotReadError where there is none to be had."""
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
        yield Sftp(client, connection, entry.ssh, timeout_s)


class Sftp:
    """What is asked of an SFTP server. Raises OSError as a local disk would, NotReadError when the host is lost."""

    def __init__(
        self,
        client: asyncssh.SFTPClient,
        connection: asyncssh.SSHClientConnection,
        host: str,
        timeout_s: float,
    ) -> None:
        self._client, self._connection, self._host, self._timeout_s = client, connection, host, timeout_s
        self._is_given_up = False

    async def space(self, path: str) -> tuple[int | None, int | None]:
        """Total and free bytes of the file system, None from servers that do not tell."""
        try:
            async with self._asking():
                space = await self._client.statvfs(path)
        except OSError as error:
            if error.errno == errno.EOPNOTSUPP:
                return None, None
            raise
        return space.blocks * space.frsize, space.bavail * space.frsize

    async def entries(self, path: str) -> tuple[list[str], list[str]]:
        """The names of the directories, or links to some, and of the other files."""
        directories, files = [], []
        async with self._asking():
            async for entry in self._client.scandir(path):
                name, mode = str(entry.filename), entry.attrs.permissions or 0
                if name in (".", ".."):
                    continue
                if S_ISDIR(mode) or (S_ISLNK(mode) and await self._client.isdir(f"{path}/{name}")):
                    directories.append(name)
                else:
                    files.append(name)
        return directories, files

    async def listing(self, path: str) -> dict[str, asyncssh.SFTPAttrs]:
        """The names of all files in a directory, with their sizes and times."""
        async with self._asking():
            return {
                str(entry.filename): entry.attrs
                async for entry in self._client.scandir(path)
                if entry.filename not in (".", "..") and not S_ISDIR(entry.attrs.permissions or 0)
            }

    async def file(self, path: str, limit: int, listed: asyncssh.SFTPAttrs | None = None) -> File:
        """The file as it was at one moment; see `files.read_file`. One question less where it was just `listed`."""
        for _ in range(_ATTEMPTS):
            async with self._asking(), self._client.open(path, "rb", encoding=None) as file:
                before = listed or await file.stat()
                size = before.size or 0
                if size > limit:
                    raise too_large(path, size, limit)
                content = cast(bytes, await file.read(size)) if size else b""  # opened without an encoding
                after = await file.stat()
            if len(content) == after.size and before.mtime == after.mtime:
                return File(content, (after.mtime or 0) * 1_000_000_000)
            listed = None
        raise unsettled(f"{path} changed while it was read, {_ATTEMPTS} times in a row")

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


@contextmanager
def _as_a_disk_would() -> Iterator[None]:
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
