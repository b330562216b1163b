"""Names of the metadata log's own snapshots (`org.apache.kafka.snapshot.Snapshots`)."""

from collections.abc import Iterable
from dataclasses import dataclass

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_int

_STATUS = {".checkpoint": "finished", ".checkpoint.part": "part", ".checkpoint.deleted": "deleted"}


@dataclass(frozen=True, order=True)
class SnapshotName:
    """`end_offset` is exclusive, `epoch` that of the last record before it; `status` says how far the file is:
    finished, `part` while it is written or fetched, deleted when it is about to go."""

    end_offset: int
    epoch: int
    status: str


def parse_snapshot_name(name: str) -> SnapshotName | None:
    """The snapshot of that file name (`Snapshots.parse`), or None when the file is something else.

    Raises ParseError where Kafka throws NumberFormatException.
    """
    for suffix, status in _STATUS.items():
        if name.endswith(suffix):
            return SnapshotName(parse_int(name[:20], 64), parse_int(name[21:31]), status)
    return None


def newest_finished(names: Iterable[str]) -> str | None:
    """The name of the newest finished snapshot, or None when there is none."""
    finished = []
    for name in names:
        try:
            snapshot = parse_snapshot_name(name)
        except ParseError:
            continue
        if snapshot and snapshot.status == "finished":
            finished.append((snapshot, name))
    return max(finished)[1] if finished else None
