"""Which snapshots landed and wait to be processed."""

from jobs.errors import UsageError
from jobs.settings import Settings


def newest_landed(settings: Settings, cluster: str) -> str:
    """The newest snapshot that landed and can be committed. Raises UsageError when there is none."""
    from jobs.lake.read import committed_snapshot_ids
    from jobs.landing.seal import given_up, landed_snapshots

    landed = landed_snapshots(settings.lake, cluster, list(settings.cluster(cluster).sources))
    last = max(committed_snapshot_ids(settings.lake, cluster), default="")
    waiting = {each for each in landed if each > last} - given_up(settings.lake, cluster)
    if waiting:
        return max(waiting)
    raise UsageError(f"Nothing of {cluster} waits to be processed: run varve collect {cluster} SOURCE first")
