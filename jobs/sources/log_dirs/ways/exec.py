"""Log dirs in the tar stream that a command prints: kubectl, docker, ansible, or a script."""

from collections.abc import Iterator

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import Budget, LogDirFiles
from jobs.sources.log_dirs.settings import ExecLogDirs, Settings
from jobs.sources.log_dirs.ways.command import Command
from jobs.sources.log_dirs.ways.tar import read_tar
from schemas.snapshots import GapReason


def read_exec(entry: ExecLogDirs, settings: Settings) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    """Each log dir of a broker, or why it could not be read.

    Raises NotReadError where the command fails, is too slow, or its stream is not whole.
    """
    budget = Budget(settings.max_bytes, settings.max_snapshot_bytes)
    paths = [str(path) for path in entry.paths]
    with Command(entry.exec, settings.timeout_s) as command:
        try:
            found = [*read_tar(command, paths, budget, "what the command printed")]
        except NotReadError as broken:
            if broken.reason != GapReason.UNREACHABLE:
                command.finish(budget)
            raise
        command.finish(budget)
    yield from found
