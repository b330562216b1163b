"""Reads one log dir: the same steps over every way to a disk."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from stat import S_ISDIR, S_ISREG

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import (
    BOOTSTRAP_CHECKPOINT,
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
from jobs.sources.log_dirs.explain import empty, no_plain_file, storable, unsettled, why_in, why_log_dir
from jobs.sources.log_dirs.files import read_file
from jobs.sources.log_dirs.formats.names import is_replica, newest_finished
from jobs.sources.log_dirs.ways.disk import Disk, Stat

_LISTINGS = 3
_AT_ONCE = 64
_GONE = (FileNotFoundError, NotADirectoryError)


@dataclass(frozen=True)
class Place:
    """The directory `root` of a disk is the log dir that the broker knows as `path`."""

    broker: int
    path: str
    root: str


async def read_log_dir(disk: Disk, place: Place, budget: Budget) -> LogDirFiles | NotReadError:
    """What lies in a log dir, or why it could not be read.

    Raises NotReadError when the disk is lost or the budget is spent: nothing more can be read of that broker.
    """
    try:
        before = await disk.file_system(place.root)
        found = await _Walk(disk, place, budget).log_dir()
        after = await disk.file_system(place.root)
    except OSError as error:
        return why_log_dir(error, place.broker, place.path)
    if before.identity != after.identity:
        return unsettled(f"Another disk was mounted at {place.path} while it was read")
    found.total_bytes, found.free_bytes = after.total_bytes, after.free_bytes
    return empty(place.broker, place.path) if found.looks_unmounted else found


class _Walk:
    """One log dir while it is read."""

    def __init__(self, disk: Disk, place: Place, budget: Budget) -> None:
        self._disk, self._root, self._budget = disk, place.root, budget
        self._found = LogDirFiles(place.path)
        self._vanished: set[str] = set()

    async def log_dir(self) -> LogDirFiles:
        """What lies in it. Raises OSError where it cannot be listed."""
        await _each((*LOG_DIR_FILES, QUORUM_STATE), self._small_file)
        await self._replicas()
        await self._checkpoints()
        return self._found

    async def _small_file(self, name: str) -> None:
        file = await self._file(name, MAX_FILE_BYTES)
        if file:
            self._found.files[name] = file

    async def _file(self, name: str, limit: int) -> File | NotReadError | None:
        path = self._in_root(name)
        try:
            return await self._read(path, limit)
        except NotADirectoryError:
            return None
        except OSError as error:
            return why_in(error, storable(path))

    async def _read(self, path: str, limit: int, listed: Stat | None = None) -> File | NotReadError | None:
        """A file that is not in a listing may have been renamed into its place meanwhile, so it is asked for anyway."""
        try:
            file = await read_file(self._disk, path, limit, listed)
        except FileNotFoundError:
            return None
        if isinstance(file, File):
            self._budget.spend(len(file.content))
        return file

    async def _replicas(self) -> None:
        """Every replica. A directory that vanishes may have been renamed, so the log dir is listed again then."""
        seen = set(NOT_REPLICAS)
        listed: dict[str, Stat] = {}
        for _ in range(_LISTINGS):
            listed = await self._disk.list(self._root)
            new = [name for name, stat in listed.items() if S_ISDIR(stat.st_mode) and name not in seen]
            self._vanished.clear()
            await _each(new, self._replica)
            seen = seen.union(new) - self._vanished
            if not self._vanished:
                break
        for name in map(storable, self._vanished):
            self._found.unread[name] = unsettled(f"{self._in_root(name)} vanished while it was read")
        for name, stat in listed.items():
            if not S_ISDIR(stat.st_mode):
                self._note(storable(name), S_ISREG(stat.st_mode))

    def _note(self, name: str, is_file: bool) -> None:
        """Take notice, by its name alone, of what is no directory."""
        if name == BOOTSTRAP_CHECKPOINT:
            self._found.has_bootstrap_checkpoint = True
        elif name.removesuffix(".tmp") in LOG_DIR_FILES and name.endswith(".tmp"):
            self._found.tmp_files += 1
        elif not is_file and is_replica(name):
            self._found.unread[name] = no_plain_file(self._in_root(name))

    async def _replica(self, name: str) -> None:
        shown, path = storable(name), self._in_root(name)
        try:
            replica = await self._replica_files(path, shown)
        except _GONE:
            self._vanished.add(name)
        except OSError as error:
            if is_replica(shown):
                self._found.unread[shown] = why_in(error, storable(path))
            else:
                self._found.replicas.append(ReplicaFiles(shown))
        else:
            if isinstance(replica, NotReadError):
                self._found.unread[shown] = replica
            else:
                self._found.replicas.append(replica)

    async def _replica_files(self, path: str, shown: str) -> ReplicaFiles | NotReadError:
        """What a replica's directory holds. Raises FileNotFoundError where it is not there any more."""
        listed = await self._disk.list(path)
        metadata = await self._read(
            f"{path}/{PARTITION_METADATA}", MAX_FILE_BYTES, listed.get(PARTITION_METADATA)
        )
        epochs = await self._read(f"{path}/{LEADER_EPOCHS}", MAX_FILE_BYTES, listed.get(LEADER_EPOCHS))
        if isinstance(metadata, NotReadError):
            return metadata
        if isinstance(epochs, NotReadError):
            return epochs
        if metadata is None or epochs is None:
            await self._disk.stat(path)
        log_bytes = sum([stat.st_size for stat in listed.values()]) if self._disk.shows_all else None
        return ReplicaFiles(shown, metadata, epochs, log_bytes, _newest_producer_snapshot(listed))

    async def _checkpoints(self) -> None:
        """The checkpoints of the metadata log. The newest may make way for a newer one, so it is looked for again."""
        found = self._found
        for _ in range(_LISTINGS):
            try:
                listed = await self._disk.list(self._in_root(METADATA_LOG))
            except _GONE:
                return
            except OSError as error:
                found.unread[METADATA_LOG] = why_in(error, self._in_root(METADATA_LOG))
                return
            names = [name for name in listed if ".checkpoint" in name]
            found.checkpoint_names = sorted(map(storable, names))
            newest = newest_finished(names)
            if newest is None:
                return
            file = await self._file(f"{METADATA_LOG}/{newest}", self._budget.max_checkpoint_bytes)
            if file:
                found.newest_checkpoint = (storable(newest), file)
                return

    def _in_root(self, name: str) -> str:
        return f"{self._root}/{name}" if self._root else name


def _newest_producer_snapshot(listed: dict[str, Stat]) -> tuple[str, int] | None:
    names = [name for name in listed if name.endswith(".snapshot")]
    return (storable(max(names)), listed[max(names)].st_size) if names else None


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
