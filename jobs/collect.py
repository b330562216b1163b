"""Collect one source of one cluster into landing."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from jobs.errors import SourceUnavailableError
from jobs.lake.layout import landing_folder, seal_path
from jobs.landing import Landing
from jobs.manifest import Manifest, read_manifest, write_manifest
from jobs.redact import Redactor
from jobs.settings import Settings, resolve
from jobs.sources.discovery import source_collect


@dataclass(frozen=True)
class Part:
    """What one source brings to one snapshot of a cluster."""

    cluster: str
    source: str
    snapshot_id: str


def collect(settings: Settings, cluster: str, source: str, snapshot_id: str) -> Manifest:
    """Read a source and land it; see `land`."""

    def read(landing: Landing) -> None:
        source_collect(source)(settings.cluster(cluster).sources[source], landing)

    return land(settings, Part(cluster, source, snapshot_id), read)


def land(
    settings: Settings, part: Part, read: Callable[[Landing], None], captured_at: datetime | None = None
) -> Manifest:
    """Land what `read` finds, as of `captured_at` or now. A part that already landed is not read again.

    A source that cannot be read lands nothing but a manifest with status `failed` and a gap over all of it;
    the next call tries again.
    """
    folder = landing_folder(settings.lake, part.cluster, part.source, part.snapshot_id)
    landed = read_manifest(folder)
    is_sealed = seal_path(settings.lake, part.cluster, part.snapshot_id).exists()
    if landed and (is_sealed or landed.status != "failed"):
        return landed
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    key = resolve(settings.fingerprint_key) if settings.fingerprint_key else None
    landing = Landing(folder, part.source, Redactor(key))
    started_at = captured_at or datetime.now(UTC)
    try:
        read(landing)
        landing.flush()
        status = "partial" if landing.gaps else "complete"
    except SourceUnavailableError as error:
        landing = Landing(folder, part.source, landing.redactor)
        landing.gap("/", error.reason, str(error))
        status = "failed"
    manifest = Manifest(
        cluster=part.cluster,
        source=part.source,
        snapshot_id=part.snapshot_id,
        status=status,
        started_at=started_at,
        captured_at=captured_at or datetime.now(UTC),
        rows=landing.counts,
        files=landing.files,
        gaps=tuple(landing.gaps),
        varve_version=version("varve"),
        zxid=landing.zxid,
        unsettled=landing.unsettled,
    )
    write_manifest(manifest, folder)
    return manifest
