"""The seals of a cluster's snapshots and the marks beside them: which snapshots were begun, and what became of them."""

from collections.abc import Container
from typing import NamedTuple

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import ABANDONED, EXPECTATIONS_DUE, REBUILD, SEAL, seals_folder, snapshot_ids
from jobs.storage import Storage


class Seals(NamedTuple):
    """The ids of the snapshots that are sealed, were given up, or have expectations to be run, as they were when listed.

    `rebuilds` are the generations of those that have begun.
    """

    cluster: str
    sealed: set[str]
    given_up: set[str]
    expectations_due: set[str]
    rebuilds: set[int]

    def unfinished(self, committed: Container[str]) -> list[str]:
        """Sealed snapshots that were neither committed nor given up, the oldest first."""
        return sorted(each for each in self.sealed - self.given_up if each not in committed)

    def overdue(self, committed: Container[str]) -> list[str]:
        """Committed snapshots whose expectations were to be run and were not, the oldest first."""
        return sorted(each for each in self.expectations_due if each in committed)

    def check_is_not_given_up(self, snapshot_id: str) -> None:
        """Raises SnapshotRefusedError when the snapshot was abandoned."""
        if snapshot_id in self.given_up:
            raise SnapshotRefusedError(
                f"Snapshot {snapshot_id} of {self.cluster} was given up: take a new one"
            )


def list_seals(storage: Storage, cluster: str) -> Seals:
    """The seals of a cluster and their marks, as they are now."""
    paths = list(storage.list(seals_folder(cluster)))
    sealed, given_up, due = (snapshot_ids(paths, ending) for ending in (SEAL, ABANDONED, EXPECTATIONS_DUE))
    rebuilds = {int(generation) for generation in snapshot_ids(paths, REBUILD)}
    return Seals(cluster, sealed, given_up, due, rebuilds)
