"""The manifest of one landed source: its last file, and the proof that the others are whole."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from schemas.snapshots import GapReason, SourceStatus

NAME = "manifest.json"


@dataclass(frozen=True)
class Gap:
    """A part of a source that was not seen: everything at or below `scope`."""

    scope: str
    reason: GapReason
    message: str


@dataclass(frozen=True)
class Manifest:
    """What one source brought in one snapshot. `zxid` and `unsettled` are known for ZooKeeper only.

    `status` is one of `schemas.snapshots.SourceStatus`; `files` names the Parquet files of each table.
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


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Write the manifest whole, by an atomic rename."""
    unfinished = folder / f"{NAME}.tmp"
    unfinished.write_text(
        json.dumps(asdict(manifest), default=datetime.isoformat, indent=1), encoding="utf-8"
    )
    unfinished.replace(folder / NAME)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in `folder`, or None where the source did not finish landing."""
    try:
        raw = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    raw["started_at"] = datetime.fromisoformat(raw["started_at"])
    raw["captured_at"] = datetime.fromisoformat(raw["captured_at"])
    raw["gaps"] = tuple(Gap(gap["scope"], GapReason(gap["reason"]), gap["message"]) for gap in raw["gaps"])
    raw["status"] = SourceStatus(raw["status"])
    return Manifest(**raw)
