"""Whether what landed is of the cluster whose tables it is to enter, by the ids that Kafka gave to both."""

import json
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder
from jobs.lake.read import open_reader
from jobs.lake.sight import Sight
from jobs.landing.manifest import Manifest
from jobs.storage import Storage

_OF_THE_LAKE = "SELECT cluster_id FROM cluster_id UNION SELECT cluster_id FROM log_dirs"
_TABLES = ("log_dirs", "admin_cluster")
"""Landed tables with a column `cluster_id`; in ZooKeeper it is the znode /cluster/id."""


class AnotherClusterError(SnapshotRefusedError):
    """What landed is of another cluster. Processing it would record that everything in this cluster is gone."""


def check_same_cluster(storage: Storage, cluster: str, manifests: Sequence[Manifest]) -> None:
    """Raises AnotherClusterError when the lake knows the cluster's id, and all ids that landed are others.

    It is the same cluster as far as anybody knows when the lake has no id yet, when no id landed, or when one of
    several ids that landed is the cluster's own.
    """
    if not Sight(storage, cluster).last:
        return
    known = {id for (id,) in open_reader(storage, [cluster]).query(_OF_THE_LAKE).rows if id}
    landed = {id for manifest in manifests for id in _landed_ids(storage, manifest) if id}
    if known and landed and not known & landed:
        raise AnotherClusterError(
            f"What landed is of the cluster with the id {', '.join(sorted(landed))}, and {cluster} has the id "
            f"{', '.join(sorted(known))}: see whether its addresses in varve.yaml, or --cluster of an import, name another; "
            "a cluster that was made anew needs a new name there"
        )


def _landed_ids(storage: Storage, manifest: Manifest) -> Iterator[str | None]:
    folder = landing_folder(manifest.cluster, manifest.source, manifest.snapshot_id)
    for table, files in manifest.files.items():
        for file in files if table in {*_TABLES, "znodes"} else ():
            landed = pa.BufferReader(storage.read(f"{folder}/{file}"))
            if table in _TABLES:
                yield from pq.read_table(landed, columns=["cluster_id"])["cluster_id"].to_pylist()
            else:
                yield from _znode_ids(landed)


def _znode_ids(landed: pa.BufferReader) -> Iterator[str | None]:
    found = pq.read_table(landed, columns=["data"], filters=[("path", "==", "/cluster/id")])
    for data in found["data"].to_pylist():
        try:
            told = json.loads(data or "null")
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and isinstance(told.get("id"), str):
            yield told["id"]
