"""Where things lie in a lake."""

from pathlib import Path


def landing_folder(lake: Path, cluster: str, source: str, snapshot_id: str) -> Path:
    return lake / "_landing" / cluster / source / snapshot_id


def seal_path(lake: Path, cluster: str, snapshot_id: str) -> Path:
    """The file that names the manifests a snapshot is made of."""
    return lake / "_landing" / cluster / "_sealed" / f"{snapshot_id}.json"


def expectations_due_path(lake: Path, cluster: str, snapshot_id: str) -> Path:
    """The mark of a snapshot whose expectations are to be run, there until they were."""
    return seal_path(lake, cluster, snapshot_id).with_suffix(".expectations-due")


def table_path(lake: Path, cluster: str, table: str) -> Path:
    return lake / cluster / table


def report_path(lake: Path, cluster: str) -> Path:
    """The cluster's HTML report, beside the lake."""
    return lake.parent / "report" / f"{cluster}.html"
