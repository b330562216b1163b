"""What landed is needed until its snapshot is committed; what is older than the newest commit goes."""

from jobs.lake.layout import SEAL, cluster_folder, landed_for, seals_folder
from jobs.storage import Storage


def clear_landed(storage: Storage, cluster: str, committed: str) -> None:
    """Delete what landed for snapshots before the committed one, their seals, and the marks beside those.

    What landed for the committed one stays until the next: whoever collects it again finds it done.
    """
    landed = storage.list(cluster_folder(cluster))
    older = {path for path in landed if (snapshot_id := landed_for(path)) and snapshot_id < committed}
    seals = {path for path in older if path.startswith(seals_folder(cluster)) and path.endswith(SEAL)}
    # The seals go first: without the mark that it was given up, a snapshot's seal says that it is to be finished.
    storage.delete(*seals)
    storage.delete(*older - seals)
