"""One replica's directory: its name, its two small files, and how much it holds."""

from dataclasses import dataclass

from jobs.sources.log_dirs.contents import ReplicaFiles
from jobs.sources.log_dirs.formats.checkpoint import Epochs, parse_epochs
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.names import ReplicaName, kind_of, parse_dir_name
from jobs.sources.log_dirs.formats.partition_metadata import PartitionMetadata, parse_partition_metadata


@dataclass(frozen=True, slots=True)
class Replica:
    """What lies in a replica's directory; None for a file that is missing or, with a problem, malformed."""

    dir_name: str
    name: ReplicaName | None
    kind: str
    metadata: PartitionMetadata | None
    metadata_modified_ns: int | None
    leader_epochs: Epochs | None
    log_bytes: int | None
    producer_snapshot: tuple[str, int] | None
    problem: str | None


def parse_replica(files: ReplicaFiles) -> Replica:
    """The replica that those files describe."""
    problems: list[str] = []
    name = metadata = epochs = None
    try:
        name = parse_dir_name(files.dir_name)
    except ParseError as problem:
        problems.append(f"directory name: {problem}")
    try:
        if files.metadata:
            metadata = parse_partition_metadata(files.metadata.content)
    except ParseError as problem:
        problems.append(f"partition.metadata: {problem}")
    try:
        if files.leader_epochs:
            epochs = parse_epochs(files.leader_epochs.content)
    except ParseError as problem:
        problems.append(f"leader-epoch-checkpoint: {problem}")
    return Replica(
        dir_name=files.dir_name,
        name=name,
        kind=kind_of(files.dir_name),
        metadata=metadata,
        metadata_modified_ns=files.metadata.modified_ns if files.metadata else None,
        leader_epochs=epochs,
        log_bytes=files.log_bytes,
        producer_snapshot=files.producer_snapshot,
        problem="; ".join(problems) or None,
    )
