"""Sealing: before the first write a snapshot's input is fixed, so that a rerun reads the same.

`<lake>/_landing/<cluster>/_sealed/<snapshot_id>.json` names the manifests the snapshot is made of. What lands
later under that id is ignored.
"""

import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder, seal_path
from jobs.lake.read import committed_snapshot_ids
from jobs.landing.manifest import Manifest, read_manifest
from jobs.landing.same_cluster import refuse_another_cluster


@dataclass(frozen=True)
class Seal:
    """The input of one snapshot. `late` are sources that landed only after it was sealed."""

    snapshot_id: str
    manifests: tuple[Manifest, ...]
    missing: tuple[str, ...]
    late: tuple[str, ...]


def seal(lake: Path, cluster: str, snapshot_id: str, sources: list[str]) -> Seal:
    """Seal the snapshot, or read its seal when it has one.

    Raises SnapshotRefusedError when nothing landed under the id, what landed is of another cluster, or it was abandoned.
    """
    path = seal_path(lake, cluster, snapshot_id)
    if not path.exists():
        manifests = [_manifest(lake, cluster, name, snapshot_id) for name in sources]
        landed = [manifest for manifest in manifests if manifest]
        if not landed:
            raise SnapshotRefusedError(
                f"Nothing has landed for snapshot {snapshot_id} of {cluster}: run `varve collect {cluster} SOURCE` first"
            )
        refuse_another_cluster(lake, cluster, landed)
        names = [manifest.source for manifest in landed]
        _write_once(path, {"sources": names, "missing": sorted(set(sources) - set(names))})
    return _read(lake, cluster, snapshot_id, sources)


def check_is_newest(cluster: str, snapshot_id: str, committed: Collection[str]) -> None:
    """Raises SnapshotRefusedError when a newer snapshot is committed than the one of that id."""
    if committed and snapshot_id < max(committed):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} is older than the newest committed one, {max(committed)}: "
            "history is written in order, so it cannot be added any more"
        )


def unfinished(lake: Path, cluster: str, committed: set[str]) -> list[str]:
    """Sealed snapshots that were neither committed nor given up, the oldest first."""
    folder = seal_path(lake, cluster, "any").parent
    return sorted({path.stem for path in folder.glob("*.json")} - committed - given_up(lake, cluster))


def given_up(lake: Path, cluster: str) -> set[str]:
    """The ids of the snapshots that were abandoned."""
    return {path.stem for path in seal_path(lake, cluster, "any").parent.glob("*.abandoned")}


def landed_snapshots(lake: Path, cluster: str, sources: list[str]) -> list[str]:
    """The ids under which at least one source landed, the oldest first."""
    folders = [landing_folder(lake, cluster, source, "any").parent for source in sources]
    return sorted({path.parent.name for folder in folders for path in folder.glob("*/manifest.json")})


def abandon(lake: Path, cluster: str, snapshot_id: str) -> None:
    """Give a sealed snapshot up: what it wrote is never seen, and the next one can go on.

    Raises SnapshotRefusedError for one that was never begun, or is committed.
    """
    path = seal_path(lake, cluster, snapshot_id)
    if snapshot_id in committed_snapshot_ids(lake, cluster):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} is committed: it cannot be given up any more"
        )
    if not path.exists():
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} was never begun: there is nothing to give up"
        )
    path.with_suffix(".abandoned").touch()


def _read(lake: Path, cluster: str, snapshot_id: str, sources: list[str]) -> Seal:
    path = seal_path(lake, cluster, snapshot_id)
    if path.with_suffix(".abandoned").exists():
        raise SnapshotRefusedError(f"Snapshot {snapshot_id} of {cluster} was given up: take a new one")
    sealed = json.loads(path.read_text(encoding="utf-8"))
    manifests = [_manifest(lake, cluster, name, snapshot_id) for name in sealed["sources"]]
    if lost := [name for name, found in zip(sealed["sources"], manifests, strict=True) if found is None]:
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} cannot be finished, what {', '.join(lost)} landed is gone: "
            f"give it up with `varve snapshot {cluster} --abandon {snapshot_id}`"
        )
    late = [
        name for name in sources if name in sealed["missing"] and _manifest(lake, cluster, name, snapshot_id)
    ]
    return Seal(snapshot_id, tuple(m for m in manifests if m), tuple(sealed["missing"]), tuple(late))


def _manifest(lake: Path, cluster: str, source: str, snapshot_id: str) -> Manifest | None:
    return read_manifest(landing_folder(lake, cluster, source, snapshot_id))


def _write_once(path: Path, content: dict[str, list[str]]) -> None:
    """The first writer wins; a second one finds the file and leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(content), encoding="utf-8")
    try:
        os.link(unfinished, path)
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()
