"""Collect one source of one cluster into landing."""

import logging
import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from jobs.errors import SourceUnavailableError, VarveError
from jobs.lake.layout import landing_folder, seal_path
from jobs.landing import Landing
from jobs.manifest import Manifest, read_manifest, write_manifest
from jobs.redact import Redactor
from jobs.settings import Settings, resolve
from jobs.sources.discovery import source_collect

log = logging.getLogger(__name__)


def collect(settings: Settings, cluster: str, source: str, snapshot_id: str) -> Manifest:
    """Read a source and land it. A source that already landed under this id is not read again.

    A source that cannot be read lands nothing but a manifest with status `failed` and a gap over all of it;
    the next call tries again.
    """
    folder = landing_folder(settings.lake, cluster, source, snapshot_id)
    landed = read_manifest(folder)
    is_sealed = seal_path(settings.lake, cluster, snapshot_id).exists()
    if landed and (is_sealed or landed.status != "failed"):
        return landed
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    started_at = datetime.now(UTC)
    landing, status = _read(settings, cluster, source, folder)
    manifest = Manifest(
        cluster=cluster,
        source=source,
        snapshot_id=snapshot_id,
        status=status,
        started_at=started_at,
        captured_at=datetime.now(UTC),
        rows=landing.counts,
        files=landing.files,
        gaps=tuple(landing.gaps),
        varve_version=version("varve"),
        zxid=landing.zxid,
        unsettled=landing.unsettled,
    )
    write_manifest(manifest, folder)
    return manifest


def _read(settings: Settings, cluster: str, source: str, folder: Path) -> tuple[Landing, str]:
    """What a source landed and its status; of one that failed nothing but why."""
    key = resolve(settings.fingerprint_key) if settings.fingerprint_key else None
    landing = Landing(folder, source, Redactor(key))
    try:
        source_collect(source)(settings.cluster(cluster).sources[source], landing)
        landing.flush()
        return landing, "partial" if landing.gaps else "complete"
    except SourceUnavailableError as error:
        reason, message = error.reason, str(error)
    except VarveError:
        raise
    except Exception as error:
        # A defect of one collector must not cost the other sources their snapshot.
        log.exception("collecting %s of %s failed", source, cluster)
        reason, message = "unreadable", _defect(source, error)
    failed = Landing(folder, source, landing.redactor)
    failed.gap("/", reason, message)
    return failed, "failed"


def _defect(source: str, error: Exception) -> str:
    return (
        f"Varve could not make sense of what it read from {source} ({type(error).__name__}): this is a defect "
        "of Varve, please report it with the traceback in the log."
    )
