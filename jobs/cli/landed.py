"""Which snapshots landed and wait to be processed."""

from pathlib import Path

from jobs.errors import UsageError


def newest_landed(lake: Path, cluster: str) -> str:
    """The newest snapshot with a landed source and no commit. Raises UsageError when there is none."""
    from jobs.lake.read import committed_snapshot_ids

    landed = {manifest.parent.name for manifest in (lake / "_landing" / cluster).glob("*/*/manifest.json")}
    if waiting := landed - committed_snapshot_ids(lake, cluster):
        return max(waiting)
    raise UsageError(f"Nothing of {cluster} waits to be processed: run varve collect {cluster} SOURCE first")
