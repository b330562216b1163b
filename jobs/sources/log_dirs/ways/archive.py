"""Log dirs in a tar file or a folder that somebody dropped, a support bundle for example."""

import os
from collections.abc import Iterator
from pathlib import Path

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import (
    LEADER_EPOCHS,
    LOG_DIR_FILES,
    PARTITION_METADATA,
    Budget,
    LogDirFiles,
)
from jobs.sources.log_dirs.formats.dir_names import is_replica
from jobs.sources.log_dirs.settings import ArchiveLogDirs, Settings
from jobs.sources.log_dirs.ways.local import Folder, read_folder
from jobs.sources.log_dirs.ways.places import places
from jobs.sources.log_dirs.ways.tar import read_tar
from schemas.snapshots import GapReason


def read_archive(
    entry: ArchiveLogDirs, settings: Settings
) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    """Each log dir of a broker, or why it could not be read. Links in a folder are not followed.

    Raises NotReadError where the archive itself cannot be read.
    """
    budget = Budget(settings.max_bytes, settings.max_snapshot_bytes)
    paths, where = [str(path) for path in entry.paths], f"the archive {entry.archive}"
    try:
        if entry.archive.is_dir():
            yield from _read_folder(entry, paths, budget, where)
        else:
            with entry.archive.open("rb") as stream:
                yield from read_tar(stream, paths, budget, where)
    except OSError as error:
        raise _why(error, entry.archive) from None


def _read_folder(
    entry: ArchiveLogDirs, paths: list[str], budget: Budget, where: str
) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    for path, place in places(paths, _log_dirs_below(entry.archive), where).items():
        if isinstance(place, NotReadError):
            yield path, place
        else:
            folder = Folder(entry.broker, path, str(entry.archive / place), follows_links=False)
            found = read_folder(folder, budget)
            if isinstance(found, LogDirFiles):
                found.total_bytes = found.free_bytes = None
            yield path, found


def _log_dirs_below(archive: Path) -> list[str]:
    """The folders below that hold what a log dir holds, by their path from the archive on."""
    found = []
    for folder, directories, files in os.walk(archive, onerror=_raise):
        if set(files) & set(LOG_DIR_FILES) or any(_is_replica(Path(folder, name)) for name in directories):
            found.append("/".join(Path(folder).relative_to(archive).parts))
            directories.clear()
    return found


def _is_replica(folder: Path) -> bool:
    return is_replica(folder.name) and any(
        (folder / name).exists() for name in (PARTITION_METADATA, LEADER_EPOCHS)
    )


def _raise(error: OSError) -> None:
    raise error


def _why(error: OSError, archive: Path) -> NotReadError:
    if isinstance(error, FileNotFoundError):
        return NotReadError(
            GapReason.MISSING, f"There is no archive {archive}: check the path under log_dirs in varve.yaml."
        )
    reason = GapReason.UNAUTHORIZED if isinstance(error, PermissionError) else GapReason.UNREADABLE
    return NotReadError(
        reason, f"The archive {archive} cannot be read ({error.strerror}): let Varve's user read it."
    )
