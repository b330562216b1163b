"""Copies of log dirs: in a tar file, in a folder, or in the tar stream that a command prints."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import Budget
from jobs.sources.log_dirs.settings import ArchiveLogDirs, ExecLogDirs, Settings
from jobs.sources.log_dirs.ways.command import Command
from jobs.sources.log_dirs.ways.disk import Disk
from jobs.sources.log_dirs.ways.local import LocalDisk
from jobs.sources.log_dirs.ways.tar import TarDisk
from jobs.sources.log_dirs.ways.tar_reader import DAMAGED, Stream, members, open_stream
from schemas.snapshots import GapReason


def open_archive(entry: ArchiveLogDirs, settings: Settings) -> Disk:
    """What the archive holds. Raises NotReadError where it cannot be read."""
    with readable(entry.archive):
        if entry.archive.is_dir():
            return LocalDisk(copy=str(entry.archive))
        with entry.archive.open("rb") as stream:
            return read_tar(stream, settings, _budget(settings))


def run_command(entry: ExecLogDirs, settings: Settings) -> Disk:
    """What the command printed: kubectl, docker, ansible, or a script.

    Raises NotReadError where the command fails, is too slow, or its stream is not whole.
    """
    streamed = _budget(settings)
    with Command(entry.exec, settings.timeout_s) as command:
        try:
            disk = read_tar(command, settings, streamed)
        except NotReadError as broken:
            if broken.reason != GapReason.UNREACHABLE:
                command.finish(streamed)
            raise
        command.finish(streamed)
    return disk


def read_tar(stream: Stream, settings: Settings, streamed: Budget) -> TarDisk:
    """What a tar stream holds. Raises NotReadError where it is not whole, or longer than the budget."""
    disk = TarDisk(_budget(settings))
    try:
        with open_stream(stream) as tar:
            for member in members(tar, streamed.spend):
                disk.take(member)
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise NotReadError(
            GapReason.UNREADABLE,
            f"It is no whole tar stream, plain or compressed by gzip, bzip2 or xz ({error}): send it again.",
        ) from None
    return disk


@contextmanager
def readable(archive: Path) -> Iterator[None]:
    """Raises NotReadError where the archive cannot be opened, listed or read."""
    try:
        yield
    except FileNotFoundError:
        raise NotReadError(
            GapReason.MISSING, f"There is no archive {archive}: check the path under log_dirs in varve.yaml."
        ) from None
    except OSError as error:
        reason = GapReason.UNAUTHORIZED if isinstance(error, PermissionError) else GapReason.UNREADABLE
        raise NotReadError(
            reason, f"The archive {archive} cannot be read ({error.strerror}): let Varve's user read it."
        ) from None


def _budget(settings: Settings) -> Budget:
    return Budget(settings.max_bytes, settings.max_snapshot_bytes)
