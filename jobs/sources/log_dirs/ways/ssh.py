"""Log dirs over SSH, by SFTP alone: an account that may only read files and run nothing suffices."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator

from asyncssh import SFTPAttrs

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import (
    LEADER_EPOCHS,
    LOG_DIR_FILES,
    MAX_FILE_BYTES,
    METADATA_LOG,
    NOT_REPLICAS,
    PARTITION_METADATA,
    QUORUM_STATE,
    Budget,
    File,
    LogDirFiles,
    ReplicaFiles,
)
from jobs.sources.log_dirs.explain import storable, unsettled, why_in, why_log_dir
from jobs.sources.log_dirs.formats.dir_names import is_replica
from jobs.sources.log_dirs.formats.metadata_snapshots import newest_finished
from jobs.sources.log_dirs.settings import Settings, SshLogDirs
from jobs.sources.log_dirs.ways.sftp import Sftp, connected
from schemas.snapshots import GapReason

_LISTINGS = 3
_AT_ONCE = 64

Outcome = tuple[str, LogDirFiles | NotReadError]


def read_ssh(entry: SshLogDirs, settings: Settings) -> Iterator[Outcome]:
    """Each log dir of a broker, or why it could not be read.

    Raises NotReadError where the host cannot be reached, is not the known one, refuses Varve, or is lost.
    """
    outcomes: list[Outcome] = []
    lost: NotReadError | None = None
    try:
        asyncio.run(_read_broker(entry, settings, outcomes))
    except NotReadError as error:
        lost = error
    yield from outcomes
    if lost:
        raise lost


async def _read_broker(entry: SshLogDirs, settings: Settings, outcomes: list[Outcome]) -> None:
    budget = Budget(settings.max_bytes, settings.max_snapshot_bytes)
    async with connected(entry, settings.timeout_s) as sftp:
        for path in map(str, entry.paths):
            try:
                outcomes.append((path, await _Reading(path, sftp, budget).log_dir()))
            except OSError as error:
                outcomes.append((path, why_log_dir(error, entry.broker, path)))


class _Reading:
    """One log dir while it is read."""

    def __init__(self, path: str, sftp: Sftp, budget: Budget) -> None:
        self._path, self._sftp, self._budget = path, sftp, budget
        self._found = LogDirFiles(path)
        self._vanished: set[str] = set()

    async def log_dir(self) -> LogDirFiles:
        """What lies in it. Raises NotReadError, or OSError where it cannot be listed."""
        found = self._found
        found.total_bytes, found.free_bytes = await self._sftp.space(self._path)
        await _each((*LOG_DIR_FILES, QUORUM_STATE), self._small_file)
        await self._replicas()
        await self._metadata_snapshots()
        return found

    async def _small_file(self, name: str) -> None:
        if file := await self._file(name, MAX_FILE_BYTES):
            self._found.files[name] = file

    async def _file(self, name: str, limit: int) -> File | NotReadError | None:
        try:
            file = await self._sftp.file(f"{self._path}/{name}", limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            return why_in(error, f"{self._path}/{name}")
        except NotReadError as error:
            if error.reason == GapReason.UNREACHABLE:
                raise
            return error
        self._budget.spend(len(file.content))
        return file

    async def _replicas(self) -> None:
        """Every replica. A directory that vanishes may have been renamed, so the log dir is listed again then."""
        seen = set(NOT_REPLICAS)
        files: list[str] = []
        for _ in range(_LISTINGS):
            directories, files = await self._sftp.entries(self._path)
            new = [name for name in directories if name not in seen]
            self._vanished.clear()
            await _each(new, self._replica)
            seen = seen.union(new) - self._vanished
            if not self._vanished:
                break
        for name in map(storable, self._vanished):
            self._found.unread[name] = unsettled(f"{self._path}/{name} vanished while it was read")
        for name in files:
            self._found.note(name)

    async def _replica(self, name: str) -> None:
        shown = storable(name)
        try:
            replica = await self._replica_files(f"{self._path}/{name}", shown)
        except FileNotFoundError:
            self._vanished.add(name)
        except OSError as error:
            if is_replica(shown):
                self._found.unread[shown] = why_in(error, f"{self._path}/{shown}")
            else:
                self._found.replicas.append(ReplicaFiles(shown))
        except NotReadError as error:
            if error.reason == GapReason.UNREACHABLE:
                raise
            self._found.unread[shown] = error
        else:
            for file in (replica.metadata, replica.leader_epochs):
                self._budget.spend(len(file.content) if file else 0)
            self._found.replicas.append(replica)

    async def _replica_files(self, path: str, shown: str) -> ReplicaFiles:
        listed = await self._sftp.listing(path)
        newest = max((name for name in listed if name.endswith(".snapshot")), default=None)
        metadata, epochs = [
            await self._file_of_replica(f"{path}/{name}", listed.get(name))
            for name in (PARTITION_METADATA, LEADER_EPOCHS)
        ]
        if metadata is None or epochs is None:
            await self._sftp.listing(path)  # tells a directory that vanished from one without the file
        snapshot = (newest, listed[newest].size or 0) if newest else None
        return ReplicaFiles(
            shown, metadata, epochs, sum(attrs.size or 0 for attrs in listed.values()), snapshot
        )

    async def _file_of_replica(self, path: str, listed: SFTPAttrs | None) -> File | None:
        """A file that is not in the listing may have been renamed into its place meanwhile."""
        try:
            return await self._sftp.file(path, MAX_FILE_BYTES, listed)
        except FileNotFoundError:
            return None

    async def _metadata_snapshots(self) -> None:
        """The snapshots of the metadata log. The newest may make way for a newer one, so it is looked for again."""
        found = self._found
        for _ in range(_LISTINGS):
            try:
                names = await self._sftp.listing(f"{self._path}/{METADATA_LOG}")
            except FileNotFoundError:
                return
            except OSError as error:
                found.unread[METADATA_LOG] = why_in(error, f"{self._path}/{METADATA_LOG}")
                return
            found.metadata_snapshots = sorted(storable(name) for name in names if ".checkpoint" in name)
            newest = newest_finished(found.metadata_snapshots)
            if newest is None:
                return
            file = await self._file(f"{METADATA_LOG}/{newest}", self._budget.max_snapshot_bytes)
            if file:
                found.newest_snapshot = (newest, file)
                return


async def _each(names: Iterable[str], work: Callable[[str], Awaitable[None]]) -> None:
    """Do the work for every name, some of them at once. Raises what the first failure raises."""
    rest = iter(names)

    async def worker() -> None:
        for name in rest:
            await work(name)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(worker())
    except* (NotReadError, OSError) as failures:
        raise failures.exceptions[0] from None
