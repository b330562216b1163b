"""Finds a broker's log dirs among the folders of an archive, whatever stands before their paths there."""

from collections.abc import Collection, Mapping, Sequence
from stat import S_ISDIR

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LEADER_EPOCHS, LOG_DIR_FILES, PARTITION_METADATA
from jobs.sources.log_dirs.explain import storable
from jobs.sources.log_dirs.formats.names import is_replica
from jobs.sources.log_dirs.ways.disk import Disk, Stat
from schemas.snapshots import GapReason

_SHOWN = 5


async def log_dirs_of(disk: Disk) -> list[str]:
    """The folders of a disk that hold what a log dir holds. Raises OSError where a folder cannot be listed.

    A folder of a log dir may refuse it, as `lost+found` does: the log dir itself is read all the same.
    """
    found, folders = [], [""]
    while folders:
        folder = folders.pop()
        try:
            listed = await disk.list(folder)
        except PermissionError:
            if folder.rpartition("/")[0] in found:
                continue
            raise
        inner = [name for name, stat in listed.items() if S_ISDIR(stat.st_mode)]
        if await _is_log_dir(disk, folder, listed):
            found.append(folder)
            inner = [name for name in inner if not is_replica(storable(name))]
        folders += [f"{folder}/{name}" if folder else name for name in inner]
    return sorted(found)


async def _is_log_dir(disk: Disk, folder: str, listed: Mapping[str, Stat]) -> bool:
    if any(name in listed and not S_ISDIR(listed[name].st_mode) for name in LOG_DIR_FILES):
        return True
    for name, stat in listed.items():
        if S_ISDIR(stat.st_mode) and is_replica(storable(name)):
            inner = await disk.list(f"{folder}/{name}" if folder else name)
            if PARTITION_METADATA in inner or LEADER_EPOCHS in inner:
                return True
    return False


def places(paths: Sequence[str], folders: Collection[str], where: str) -> Mapping[str, str | NotReadError]:
    """For each path of a broker the one folder whose own path ends most like it.

    `d0`, `kafka/d0` and `bundle/var/kafka/d0` are all `/var/kafka/d0`. Where the broker has one log dir only, the top
    of the archive may be that log dir. A folder that has the whole path is preferred to all others. `where` says in
    messages what was searched.
    """
    best = {path: _most_alike(path, folders, len(paths) == 1) for path in paths}
    taken = [folder for alike in best.values() for folder in alike]
    return {
        path: alike[0] if len(alike) == 1 and taken.count(alike[0]) == 1 else _not_found(path, folders, where)
        for path, alike in best.items()
    }


def _most_alike(path: str, folders: Collection[str], is_only: bool) -> list[str]:
    if path.strip("/") in folders:
        return [path.strip("/")]
    scores = {folder: _alike(path, folder) for folder in folders}
    if is_only and "" in scores:
        scores[""] = 1
    best = max(scores.values(), default=0)
    return [folder for folder, score in scores.items() if score == best > 0]


def _alike(path: str, folder: str) -> int:
    """How many names at their ends the two have in common."""
    pairs = zip(reversed(path.strip("/").split("/")), reversed(folder.split("/")), strict=False)
    count = 0
    for wanted, there in pairs:
        if wanted != there:
            break
        count += 1
    return count


def _not_found(path: str, folders: Collection[str], where: str) -> NotReadError:
    shown = ", ".join(storable(folder) or "its top" for folder in sorted(folders)[:_SHOWN])
    there = f"it holds log dirs at {shown}" if folders else "it holds no log dir"
    return NotReadError(
        GapReason.MISSING,
        f"Not exactly one log dir in {where} can be {path}: {there}; compare them with `paths`.",
    )
