"""The manifest of one landed source: its last file, and the proof that the others are whole."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from jobs.lake.layout import manifest_path
from jobs.storage import Storage
from schemas.snapshots import Gap, GapReason, SourceStatus


@dataclass(frozen=True)
class Manifest:
    """What one source brought in one snapshot. `zxid` and `unsettled` are known for ZooKeeper only.

    `files` names the Parquet files of each table, which lie beside the manifest. `looked_at` are the scopes that the
    source looked at; None where it looks at everything.
    """

    cluster: str
    source: str
    snapshot_id: str
    status: SourceStatus
    started_at: datetime
    captured_at: datetime
    rows: dict[str, int]
    files: dict[str, list[str]]
    gaps: tuple[Gap, ...]
    varve_version: str
    zxid: int | None = None
    unsettled: int | None = None
    looked_at: list[str] | None = None


def captured_at(manifests: Sequence[Manifest]) -> datetime:
    """The time a snapshot of these sources stands for: when the last that could be read was read.

    Where none could be read, when that was known of the last.
    """
    read = [manifest for manifest in manifests if manifest.status is not SourceStatus.FAILED]
    return max(manifest.captured_at for manifest in read or manifests)


def write_manifest(storage: Storage, manifest: Manifest) -> None:
    """Write the manifest beside the files that it names."""
    content = json.dumps(asdict(manifest), default=datetime.isoformat, indent=1)
    storage.write(
        manifest_path(manifest.cluster, manifest.source, manifest.snapshot_id), content.encode("utf-8")
    )


def read_manifest(storage: Storage, cluster: str, source: str, snapshot_id: str) -> Manifest | None:
    """The manifest of what a source landed, None where it did not finish landing."""
    content = storage.read(manifest_path(cluster, source, snapshot_id))
    if content is None:
        return None
    raw = json.loads(content)
    raw["started_at"] = datetime.fromisoformat(raw["started_at"])
    raw["captured_at"] = datetime.fromisoformat(raw["captured_at"])
    raw["gaps"] = tuple(Gap(gap["scope"], GapReason(gap["reason"]), gap["message"]) for gap in raw["gaps"])
    raw["status"] = SourceStatus(raw["status"])
    return Manifest(**raw)
