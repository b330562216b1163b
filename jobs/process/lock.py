"""One writer per cluster's lake at a time."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobs.errors import SnapshotRefusedError


@contextmanager
def only_writer(lake: Path, cluster: str) -> Iterator[None]:
    """Hold the cluster's writer lock. Raises SnapshotRefusedError when another process has it."""
    path = lake / "_landing" / cluster / "writer.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SnapshotRefusedError(
                f"Another process is writing the lake of {cluster} ({path}): wait for it to end and call again"
            ) from None
        yield
