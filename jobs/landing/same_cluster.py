"""Whether what landed is of the cluster whose lake it is to enter, by the ids that Kafka gave to both."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder
from jobs.lake.read import committed_snapshot_ids, open_lake
from jobs.landing.manifest import Manifest

_OF_THE_LAKE = "SELECT cluster_id FROM cluster_id UNION SELECT cluster_id FROM log_dirs"
_TABLES = ("log_dirs", "admin_cluster")
"""Landed tables with a column `cluster_id`; in ZooKeeper it is the znode /cluster/id."""


def refuse_another_cluster(lake: Path, cluster: str, manifests: Sequence[Manifest]) -> None:
    """Take away again what landed where the lake knows the cluster by an id, and what landed by none but others.

    Raises SnapshotRefusedError then: the lake would tell of one cluster that all it had is gone.
    """
    if not committed_snapshot_ids(lake, cluster):
        return
    known = {id for (id,) in open_lake(lake, [cluster]).query(_OF_THE_LAKE).rows if id}
    landed = {id for manifest in manifests for id in _landed_ids(lake, manifest) if id}
    if not known or not landed or known & landed:
        return
    for manifest in manifests:
        shutil.rmtree(_folder(lake, manifest))
    raise SnapshotRefusedError(
        f"What landed is of the cluster with the id {', '.join(sorted(landed))}, and {cluster} has the id "
        f"{', '.join(sorted(known))}: see whether its addresses in varve.yaml, or --cluster of an import, name another; "
        "a cluster that was made anew needs a new name there"
    )


def _folder(lake: Path, manifest: Manifest) -> Path:
    return landing_folder(lake, manifest.cluster, manifest.source, manifest.snapshot_id)


def _landed_ids(lake: Path, manifest: Manifest) -> Iterator[str | None]:
    folder = _folder(lake, manifest)
    for table, files in manifest.files.items():
        for file in files:
            if table in _TABLES:
                yield from pq.read_table(folder / file, columns=["cluster_id"])["cluster_id"].to_pylist()
            elif table == "znodes":
                yield from _znode_ids(folder / file)


def _znode_ids(file: Path) -> Iterator[str | None]:
    found = pq.read_table(file, columns=["data"], filters=[("path", "==", "/cluster/id")])
    for data in found["data"].to_pylist():
        try:
            told = json.loads(data or "null")
        except ValueError:
            continue
        if isinstance(told, dict) and isinstance(told.get("id"), str):
            yield told["id"]
