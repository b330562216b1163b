"""Log dirs in a tar stream: members are recognised by their names, and everything else is passed over."""

from collections.abc import Iterator
from dataclasses import replace

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
from jobs.sources.log_dirs.explain import storable, too_large
from jobs.sources.log_dirs.formats.dir_names import is_replica
from jobs.sources.log_dirs.formats.metadata_snapshots import newest_finished
from jobs.sources.log_dirs.ways.members import Member, Stream, members, refusing_broken_streams
from jobs.sources.log_dirs.ways.places import places
from schemas.snapshots import GapReason

_MAX_DIRECTORIES = 1_000_000

Found = dict[str, LogDirFiles]
Outcomes = Iterator[tuple[str, LogDirFiles | NotReadError]]


def read_tar(stream: Stream, paths: list[str], budget: Budget, where: str) -> Outcomes:
    """Each log dir by its path on the broker; `where` says in messages whose stream it is.

    Raises NotReadError where the stream is not whole.
    """
    reading = _Reading(budget)
    with refusing_broken_streams():
        for member in members(stream, budget):
            reading.take(member)
    found = {folder: log_dir for folder, log_dir in reading.found().items() if _is_log_dir(log_dir)}
    for path, folder in places(paths, found, where).items():
        if isinstance(folder, NotReadError):
            yield path, folder
        else:
            found[folder].path = path
            yield path, found[folder]


def _is_log_dir(found: LogDirFiles) -> bool:
    return bool(found.files or found.unread) or any(
        replica.metadata or replica.leader_epochs for replica in found.replicas
    )


class _Reading:
    def __init__(self, budget: Budget) -> None:
        self._max_snapshot_bytes = budget.max_snapshot_bytes
        self._found: Found = {}
        self._replicas: dict[tuple[str, str], ReplicaFiles] = {}

    def take(self, member: Member) -> None:
        """Keep what the member says, if it is one that is expected."""
        if not member.parts:
            return
        *parents, name = member.parts
        if member.is_directory or (not member.is_file and is_replica(name)):
            self._directory("/".join(parents), name, member)
        elif name in LOG_DIR_FILES or name == BOOTSTRAP_CHECKPOINT or name.endswith(".tmp"):
            self._file_at_the_top("/".join(parents), name, member)
        elif parents:
            self._file_of_a_replica("/".join(parents[:-1]), parents[-1], name, member)

    def found(self) -> Found:
        """All that was taken."""
        for (root, dir_name), replica in self._replicas.items():
            log_dir = self._log_dir(root)
            if dir_name not in log_dir.unread:
                log_dir.replicas.append(replica)
        return self._found

    def _log_dir(self, root: str) -> LogDirFiles:
        return self._found.setdefault(root, LogDirFiles(root))

    def _directory(self, root: str, name: str, member: Member) -> None:
        if name in NOT_REPLICAS:
            return
        if not member.is_directory:
            self._log_dir(root).unread[storable(name)] = _refused(member)
        elif len(self._replicas) < _MAX_DIRECTORIES:
            self._replicas.setdefault((root, storable(name)), ReplicaFiles(storable(name)))
        else:
            raise NotReadError(
                GapReason.UNREADABLE, f"It holds more than {_MAX_DIRECTORIES} directories: look at it."
            )

    def _file_at_the_top(self, root: str, name: str, member: Member) -> None:
        self._log_dir(root).note(name)
        if name in LOG_DIR_FILES:
            self._log_dir(root).files[name] = _content(member)

    def _file_of_a_replica(self, root: str, dir_name: str, name: str, member: Member) -> None:
        key = (root, storable(dir_name))
        replica = self._replicas.get(key) or ReplicaFiles(key[1])
        if name in (PARTITION_METADATA, LEADER_EPOCHS):
            content = _content(member)
            if isinstance(content, NotReadError):
                self._log_dir(root).unread[replica.dir_name] = content
                return
            if name == PARTITION_METADATA:
                self._replicas[key] = replace(replica, metadata=content)
            else:
                self._replicas[key] = replace(replica, leader_epochs=content)
        elif name.endswith(".snapshot"):
            newest = max(replica.producer_snapshot or ("", 0), (name, member.size))
            self._replicas[key] = replace(replica, producer_snapshot=newest)
        elif dir_name == METADATA_LOG and name == "quorum-state":
            self._log_dir(root).files[QUORUM_STATE] = _content(member)
        elif dir_name == METADATA_LOG and ".checkpoint" in name:
            self._metadata_snapshot(self._log_dir(root), name, member)

    def _metadata_snapshot(self, log_dir: LogDirFiles, name: str, member: Member) -> None:
        name = storable(name)
        log_dir.metadata_snapshots.append(name)
        newest = log_dir.newest_snapshot
        if newest_finished([name, newest[0]] if newest else [name]) == name:
            log_dir.newest_snapshot = (name, _content(member, self._max_snapshot_bytes))


def _content(member: Member, limit: int = MAX_FILE_BYTES) -> File | NotReadError:
    if not member.is_file:
        return _refused(member)
    if member.size > limit:
        return too_large(storable("/".join(member.parts)), member.size, limit)
    return File(member.read(), member.modified_ns)


def _refused(member: Member) -> NotReadError:
    return NotReadError(
        GapReason.UNREADABLE,
        f"{storable('/'.join(member.parts))} is a link or a device in the tar stream, and only plain files are "
        "read: send the file itself (tar -h).",
    )
