"""Collect one source of one cluster into landing."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from jobs.discovery import source_collect
from jobs.errors import NotReadError, VarveError
from jobs.lake.layout import landing_folder
from jobs.landing.landing import Landing
from jobs.landing.manifest import Manifest, read_manifest, write_manifest
from jobs.landing.seal import is_sealed
from jobs.secrets import Redactor
from jobs.settings import Settings, resolve
from jobs.storage import Storage, open_storage
from schemas.snapshots import GapReason, SourceStatus

log = logging.getLogger(__name__)


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
    storage = open_storage(settings.lake)
    landed = read_manifest(storage, part.cluster, part.source, part.snapshot_id)
    if landed and (
        landed.status is not SourceStatus.FAILED or is_sealed(storage, part.cluster, part.snapshot_id)
    ):
        return landed
    folder = landing_folder(part.cluster, part.source, part.snapshot_id)
    storage.delete_folder(folder)
    started_at = captured_at or datetime.now(UTC)
    key = resolve(settings.fingerprint_key) if settings.fingerprint_key else None
    landing, status = _landed(part.source, read, storage.inside(folder), Redactor(key))
    manifest = _manifest(part, landing, status, started_at, captured_at or datetime.now(UTC))
    write_manifest(storage, manifest)
    return manifest


def _manifest(
    part: Part, landing: Landing, status: SourceStatus, started_at: datetime, captured_at: datetime
) -> Manifest:
    return Manifest(
        cluster=part.cluster,
        source=part.source,
        snapshot_id=part.snapshot_id,
        status=status,
        started_at=started_at,
        captured_at=captured_at,
        rows=landing.counts,
        files=landing.files,
        gaps=tuple(landing.gaps),
        varve_version=version("varve"),
        zxid=landing.zxid,
        unsettled=landing.unsettled,
        looked_at=landing.looked_at,
    )


def _landed(
    source: str, read: Callable[[Landing], None], storage: Storage, redactor: Redactor
) -> tuple[Landing, SourceStatus]:
    """What a source landed and its status; of one that failed nothing but why."""
    landing = Landing(storage, source, redactor)
    try:
        read(landing)
        landing.flush()
        return landing, SourceStatus.PARTIAL if landing.gaps else SourceStatus.COMPLETE
    except NotReadError as error:
        reason, message = error.reason, str(error)
    except VarveError:
        raise
    except Exception as error:
        # A defect of one collector must not cost the other sources their snapshot.
        log.exception("collecting %s failed", source)
        reason, message = GapReason.UNREADABLE, _defect(source, error)
    failed = Landing(storage, source, redactor)
    failed.gap("/", reason, message)
    return failed, SourceStatus.FAILED


def _defect(source: str, error: Exception) -> str:
    return (
        f"Varve could not make sense of what it read from {source} ({type(error).__name__}): this is a defect "
        "of Varve, please report it with the traceback in the log."
    )
