"""The seal of a snapshot fixes its input before the first write, so that a rerun reads the same.

It names the sources that the snapshot is made of, and those that were missing. What lands later under the id is
ignored. `jobs/lake/layout.py` says where seals lie.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder, manifest_path, seal_path
from jobs.landing.manifest import Manifest, read_manifest
from jobs.storage import Storage


@dataclass(frozen=True)
class Seal:
    """The input of one snapshot. `late` are sources that landed only after it was sealed."""

    snapshot_id: str
    manifests: tuple[Manifest, ...]
    missing: tuple[str, ...]
    late: tuple[str, ...]


def landed_manifests(
    storage: Storage, cluster: str, snapshot_id: str, sources: Sequence[str]
) -> list[Manifest]:
    """What landed for a snapshot. Raises SnapshotRefusedError when nothing did."""
    manifests = [read_manifest(storage, cluster, source, snapshot_id) for source in sources]
    if landed := [manifest for manifest in manifests if manifest]:
        return landed
    raise SnapshotRefusedError(
        f"Nothing has landed for snapshot {snapshot_id} of {cluster}: run `varve collect {cluster} SOURCE` first"
    )


def discard_landed(storage: Storage, manifests: Sequence[Manifest]) -> None:
    """Delete what landed, so that the sources can land again under the same snapshot id.

    The manifests go first: what one names is there, also when this is cut off.
    """
    of_each = [(manifest.cluster, manifest.source, manifest.snapshot_id) for manifest in manifests]
    storage.delete(*(manifest_path(*part) for part in of_each))
    for part in of_each:
        storage.delete_folder(landing_folder(*part))


def is_sealed(storage: Storage, cluster: str, snapshot_id: str) -> bool:
    """Whether the input of a snapshot is fixed."""
    return storage.exists(seal_path(cluster, snapshot_id))


def seal(
    storage: Storage, cluster: str, snapshot_id: str, landed: Sequence[Manifest], sources: Sequence[str]
) -> Seal | None:
    """Fix the input of a snapshot: what `landed` of the cluster's `sources`.

    Gives None where it is sealed already, and stays as it is.
    """
    names = [manifest.source for manifest in landed]
    missing = sorted(set(sources) - set(names))
    content = json.dumps({"sources": names, "missing": missing}).encode("utf-8")
    is_ours = storage.create(seal_path(cluster, snapshot_id), content)
    return Seal(snapshot_id, tuple(landed), tuple(missing), ()) if is_ours else None


def read_seal(storage: Storage, cluster: str, snapshot_id: str, sources: Sequence[str]) -> Seal:
    """The input of a sealed snapshot. Raises SnapshotRefusedError when a part of it is gone."""
    sealed = json.loads(storage.read(seal_path(cluster, snapshot_id)) or b"")
    manifests = [read_manifest(storage, cluster, source, snapshot_id) for source in sealed["sources"]]
    if lost := [name for name, found in zip(sealed["sources"], manifests, strict=True) if found is None]:
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} cannot be finished, what {', '.join(lost)} landed is gone: "
            f"give it up with `varve snapshot {cluster} --abandon {snapshot_id}`"
        )
    missing = tuple(sealed["missing"])
    late = tuple(
        source
        for source in sources
        if source in missing and read_manifest(storage, cluster, source, snapshot_id)
    )
    return Seal(snapshot_id, tuple(manifest for manifest in manifests if manifest), missing, late)
