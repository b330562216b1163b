"""Which snapshots landed and wait to be processed."""

from jobs.errors import UsageError
from jobs.settings import Settings
from jobs.storage import open_storage


def newest_landed(settings: Settings, cluster: str) -> str:
    """The newest snapshot that landed and can be committed. Raises UsageError when there is none."""
    from jobs.lake.committed import committed_snapshot_ids
    from jobs.landing.order import given_up, landed_snapshots

    storage = open_storage(settings.lake)
    landed = landed_snapshots(storage, cluster, list(settings.cluster(cluster).sources))
    last = max(committed_snapshot_ids(storage, cluster), default="")
    waiting = {each for each in landed if each > last} - given_up(storage, cluster)
    if waiting:
        return max(waiting)
    raise UsageError(f"Nothing of {cluster} waits to be processed: run varve collect {cluster} SOURCE first")
