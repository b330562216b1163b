"""Log dirs on this machine: one listing of each directory and two small files for each replica."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

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
from jobs.sources.log_dirs.settings import LocalLogDirs, Settings
from jobs.sources.log_dirs.ways.files import read_file, read_listed

_LISTINGS = 3
_SMALL_FILES = frozenset((PARTITION_METADATA, LEADER_EPOCHS))


def read_local(entry: LocalLogDirs, settings: Settings) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    """Each log dir of a broker, or why it could not be read."""
    budget = Budget(settings.max_bytes, settings.max_snapshot_bytes)
    for path in map(str, entry.paths):
        yield path, read_folder(Folder(entry.broker, path, path), budget)


@dataclass(frozen=True)
class Folder:
    """The folder `root`, read as the log dir that the broker knows as `path`."""

    broker: int
    path: str
    root: str
    follows_links: bool = True

    @property
    def flags(self) -> int:
        """What files in it are opened with."""
        return 0 if self.follows_links else os.O_NOFOLLOW


def read_folder(folder: Folder, budget: Budget) -> LogDirFiles | NotReadError:
    """What lies in the folder, or why it could not be read."""
    try:
        before = os.stat(folder.root)  # noqa: PTH116 - strings throughout, for speed
        found = _log_dir(folder, budget)
        after = os.stat(folder.root)  # noqa: PTH116
    except OSError as error:
        return why_log_dir(error, folder.broker, folder.path)
    except NotReadError as error:
        return error
    if (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
        return unsettled(f"Another disk was mounted at {folder.path} while it was read")
    return found


def _log_dir(folder: Folder, budget: Budget) -> LogDirFiles:
    found = LogDirFiles(folder.path)
    space = os.statvfs(folder.root)
    found.total_bytes, found.free_bytes = space.f_blocks * space.f_frsize, space.f_bavail * space.f_frsize
    for name in (*LOG_DIR_FILES, QUORUM_STATE):
        if file := _file(folder, name, budget, MAX_FILE_BYTES):
            found.files[name] = file
    _replicas(folder, budget, found)
    _metadata_snapshots(folder, budget, found)
    return found


def _file(folder: Folder, name: str, budget: Budget, limit: int) -> File | NotReadError | None:
    try:
        file = read_file(f"{folder.root}/{name}", folder.flags, limit)
    except OSError as error:
        return why_in(error, f"{folder.path}/{name}")
    except NotReadError as error:
        return error
    budget.spend(len(file.content) if file else 0)
    return file


def _replicas(folder: Folder, budget: Budget, found: LogDirFiles) -> None:
    """Every replica. A directory that vanishes may have been renamed, so the log dir is listed again then."""
    seen = set(NOT_REPLICAS)
    for _ in range(_LISTINGS):
        directories, files = _listing(folder)
        new = [name for name in directories if name not in seen]
        vanished = {name for name in new if not _read_replica(folder, name, budget, found)}
        seen = seen.union(new) - vanished
        if not vanished:
            break
    for name in map(storable, vanished):
        found.unread[name] = unsettled(f"{folder.path}/{name} vanished while it was read")
    for name in files:
        found.note(name)


def _listing(folder: Folder) -> tuple[list[str], list[str]]:
    directories, files = [], []
    with os.scandir(folder.root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=folder.follows_links):
                directories.append(entry.name)
            else:
                files.append(entry.name)
    return directories, files


def _read_replica(folder: Folder, name: str, budget: Budget, found: LogDirFiles) -> bool:
    """Read one replica into `found`; False when its directory vanished."""
    shown = storable(name)
    try:
        replica = _replica(folder, name, shown)
    except OSError as error:
        if is_replica(shown):
            found.unread[shown] = why_in(error, f"{folder.path}/{shown}")
        else:
            found.replicas.append(ReplicaFiles(shown))
        return True
    except NotReadError as error:
        found.unread[shown] = error
        return True
    if replica is None:
        return False
    for file in (replica.metadata, replica.leader_epochs):
        budget.spend(len(file.content) if file else 0)
    found.replicas.append(replica)
    return True


def _replica(folder: Folder, name: str, shown: str) -> ReplicaFiles | None:
    path = f"{folder.root}/{name}"
    log_bytes, newest, listed = 0, ("", 0), {}
    try:
        with os.scandir(path) as files:
            for file in files:
                try:
                    stat = file.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                log_bytes += stat.st_size
                if file.name in _SMALL_FILES:
                    listed[file.name] = stat
                elif file.name.endswith(".snapshot"):
                    newest = max(newest, (file.name, stat.st_size))
    except FileNotFoundError:
        return None
    metadata = _small_file(f"{path}/{PARTITION_METADATA}", listed.get(PARTITION_METADATA), folder.flags)
    epochs = _small_file(f"{path}/{LEADER_EPOCHS}", listed.get(LEADER_EPOCHS), folder.flags)
    if (metadata is None or epochs is None) and not os.path.isdir(path):  # noqa: PTH112 - hot loop
        return None
    return ReplicaFiles(shown, metadata, epochs, log_bytes, newest if newest[0] else None)


def _small_file(path: str, listed: os.stat_result | None, flags: int) -> File | None:
    """A file that is not in the listing may have been renamed into its place meanwhile."""
    return read_listed(path, listed, flags) if listed else read_file(path, flags)


def _metadata_snapshots(folder: Folder, budget: Budget, found: LogDirFiles) -> None:
    """The snapshots of the metadata log. The newest may be deleted for a newer one, so it is looked for again."""
    for _ in range(_LISTINGS):
        try:
            names = os.listdir(f"{folder.root}/{METADATA_LOG}")  # noqa: PTH208 - strings throughout
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            found.unread[METADATA_LOG] = why_in(error, f"{folder.path}/{METADATA_LOG}")
            return
        found.metadata_snapshots = sorted(storable(name) for name in names if ".checkpoint" in name)
        newest = newest_finished(found.metadata_snapshots)
        if newest is None:
            return
        if file := _file(folder, f"{METADATA_LOG}/{newest}", budget, budget.max_snapshot_bytes):
            found.newest_snapshot = (newest, file)
            return
