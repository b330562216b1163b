"""Which snapshots landed and wait to be processed."""

from jobs.errors import UsageError
from jobs.settings import Settings


def newest_landed(settings: Settings, cluster: str) -> str:
    """The newest snapshot that landed and is not committed. Raises UsageError when there is none."""
    from jobs.lake.read import committed_snapshot_ids
    from jobs.seal import landed_snapshots

    landed = landed_snapshots(settings.lake, cluster, list(settings.cluster(cluster).sources))
    if waiting := set(landed) - committed_snapshot_ids(settings.lake, cluster):
        return max(waiting)
    raise UsageError(f"Nothing of {cluster} waits to be processed: run varve collect {cluster} SOURCE first")
