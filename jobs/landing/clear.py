"""What landed is needed until its snapshot is committed; what is older than the newest commit goes."""

from jobs.lake.layout import SEAL, cluster_folder, landed_for
from jobs.storage import Storage


def clear_landed(storage: Storage, cluster: str, committed: str) -> None:
    """Delete what landed for snapshots before the committed one, their seals, and the marks beside those.

    What landed for the committed one stays until the next: whoever collects it again finds it done.
    """
    landed = {found for path in storage.list(cluster_folder(cluster)) if (found := landed_for(path))}
    # The seals go first: without the mark that it was given up, a snapshot's seal says that it is to be finished.
    for snapshot_id, path in sorted(landed, key=lambda found: not found[1].endswith(SEAL)):
        if snapshot_id < committed:
            storage.delete(path)
