"""One replica's directory: its name, its two small files, and how much it holds."""

import os
from dataclasses import dataclass

from jobs.sources.log_dirs.checkpoint import Epochs, parse_epochs
from jobs.sources.log_dirs.dir_names import ReplicaName, kind_of, parse_dir_name
from jobs.sources.log_dirs.files import File, read_file
from jobs.sources.log_dirs.java_text import ParseError
from jobs.sources.log_dirs.partition_metadata import PartitionMetadata, parse_partition_metadata


@dataclass(frozen=True, slots=True)
class Replica:
    """What lies in a replica's directory; None for a file that is missing or, with a problem, malformed."""

    dir_name: str
    name: ReplicaName | None
    kind: str
    metadata: PartitionMetadata | None
    metadata_modified_ns: int | None
    leader_epochs: Epochs | None
    log_bytes: int
    problem: str | None


def read_replica(log_dir: str, dir_name: str) -> Replica | None:
    """The replica in that directory, or None when the directory vanished meanwhile.

    Raises UnsettledFileError, or OSError for what cannot be read.
    """
    path = f"{log_dir}/{dir_name}"
    try:
        log_bytes = _bytes_in(path)
    except FileNotFoundError:
        return None
    metadata_file = read_file(f"{path}/partition.metadata")
    epochs_file = read_file(f"{path}/leader-epoch-checkpoint")
    if (metadata_file is None or epochs_file is None) and not os.path.isdir(path):  # noqa: PTH112 - hot loop
        return None
    shown = storable(dir_name)
    return _replica(f"{log_dir}/{shown}", shown, log_bytes, metadata_file, epochs_file)


def _replica(
    path: str, dir_name: str, log_bytes: int, metadata_file: File | None, epochs_file: File | None
) -> Replica:
    problems: list[str] = []
    name = metadata = epochs = None
    try:
        name = parse_dir_name(dir_name)
    except ParseError as problem:
        problems.append(f"directory name: {problem}")
    try:
        if metadata_file:
            metadata = parse_partition_metadata(metadata_file.content, f"{path}/partition.metadata")
    except ParseError as problem:
        problems.append(f"partition.metadata: {problem}")
    try:
        if epochs_file:
            epochs = parse_epochs(epochs_file.content, f"{path}/leader-epoch-checkpoint")
    except ParseError as problem:
        problems.append(f"leader-epoch-checkpoint: {problem}")
    return Replica(
        dir_name=dir_name,
        name=name,
        kind=kind_of(dir_name),
        metadata=metadata,
        metadata_modified_ns=metadata_file.modified_ns if metadata_file else None,
        leader_epochs=epochs,
        log_bytes=log_bytes,
        problem="; ".join(problems) or None,
    )


def storable(name: str) -> str:
    """The name with bytes that are no UTF-8 written as escapes, so that it can be stored."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    return name


def _bytes_in(path: str) -> int:
    total = 0
    with os.scandir(path) as files:
        for file in files:
            try:
                total += file.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue
    return total
