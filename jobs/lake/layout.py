"""Where things lie in a lake: paths for `jobs.storage`, relative to the lake."""

from collections.abc import Iterable
from urllib.parse import quote

from jobs.storage import Bucket, Location

MANIFEST = "/manifest.json"
SEAL = ".json"
ABANDONED = ".abandoned"
ATTEMPT = ".attempt-"
EXPECTATIONS_DUE = ".expectations-due"
REBUILD = ".rebuild"


def landing_folder(cluster: str, source: str, snapshot_id: str) -> str:
    """What one source landed for one snapshot."""
    return f"{source_folder(cluster, source)}/{snapshot_id}"


def landed_for(path: str) -> str | None:
    """The snapshot for which a file landed or was sealed, None for what is of no snapshot.

    A mark that expectations are due is kept until they were run, and one of a rebuild until that is over.
    """
    _, _, folder, *within = path.split("/")
    if folder == "_sealed":
        return None if path.endswith((EXPECTATIONS_DUE, REBUILD)) else within[0].partition(".")[0]
    return within[0] if within and folder[0] != "_" else None


def cluster_folder(cluster: str) -> str:
    """Everything that landed of a cluster."""
    return f"_landing/{cluster}"


def source_folder(cluster: str, source: str) -> str:
    """What one source landed, a folder for each snapshot."""
    return f"_landing/{cluster}/{source}"


def manifest_path(cluster: str, source: str, snapshot_id: str) -> str:
    """The last file that a source lands."""
    return f"{landing_folder(cluster, source, snapshot_id)}{MANIFEST}"


def seals_folder(cluster: str) -> str:
    """The seals of a cluster's snapshots, and the marks beside them."""
    return f"_landing/{cluster}/_sealed"


def seal_path(cluster: str, snapshot_id: str) -> str:
    """The file that names the manifests a snapshot is made of."""
    return f"{seals_folder(cluster)}/{snapshot_id}{SEAL}"


def abandoned_path(cluster: str, snapshot_id: str) -> str:
    """The mark of a snapshot that was given up."""
    return f"{seals_folder(cluster)}/{snapshot_id}{ABANDONED}"


def attempt_path(cluster: str, snapshot_id: str, number: int) -> str:
    """The mark of a later attempt at a snapshot; the first has none."""
    return f"{seals_folder(cluster)}/{snapshot_id}{ATTEMPT}{number}"


def expectations_due_path(cluster: str, snapshot_id: str) -> str:
    """The mark of a snapshot whose expectations are to be run, there until they were."""
    return f"{seals_folder(cluster)}/{snapshot_id}{EXPECTATIONS_DUE}"


def rebuild_path(cluster: str, generation: int) -> str:
    """The mark of a rebuild that has begun, there until it is committed or given up."""
    return f"{seals_folder(cluster)}/{generation}{REBUILD}"


def dismissed_folder(cluster: str, source: str) -> str:
    """The marks of places that a source does not look at any more and that are gone for good."""
    return f"_landing/{cluster}/_dismissed/{source}"


def dismissed_path(cluster: str, source: str, scope: str) -> str:
    """The mark of one place, there until a snapshot took it for gone."""
    return f"{dismissed_folder(cluster, source)}/{quote(scope, safe='')}"


def snapshot_ids(paths: Iterable[str], ending: str) -> set[str]:
    """The ids in those of the paths that have this ending: the manifests, the seals or the marks of one kind."""
    return {path.removesuffix(ending).rpartition("/")[2] for path in paths if path.endswith(ending)}


def writer_lock_path(cluster: str) -> str:
    """The lock of the one process that writes a cluster's tables."""
    return f"_landing/{cluster}/writer.lock"


def work_folder(cluster: str) -> str:
    """Rows on their way between the driver and executors on other hosts, gone when a snapshot is done."""
    return f"_work/{cluster}"


def tables_folder(cluster: str) -> str:
    """The Delta tables of a cluster."""
    return cluster


def table_path(cluster: str, table: str) -> str:
    """The folder of a Delta table."""
    return f"{tables_folder(cluster)}/{table}"


def report_folder(lake: Location) -> Location:
    """The HTML reports, one file for each cluster: beside a folder, and within a prefix, which may have others beside it."""
    return lake / "_report" if isinstance(lake, Bucket) else lake.parent / "report"
