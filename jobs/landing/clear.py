"""What landed is needed until its snapshot is committed; what is older than the newest commit goes."""

from jobs.lake.layout import cluster_folder, landed_for
from jobs.storage import Storage


def clear_landed(storage: Storage, cluster: str, committed: str) -> None:
    """Delete what landed for snapshots before the committed one, their seals, and the marks beside those.

    What landed for the committed one stays until the next: whoever collects it again finds it done.
    """
    landed = {found for path in storage.list(cluster_folder(cluster)) if (found := landed_for(path))}
    for snapshot_id, path in landed:
        if snapshot_id < committed:
            storage.delete(path)
