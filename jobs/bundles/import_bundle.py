"""`varve import`: what a support bundle holds of a cluster lands as a snapshot of the time it was made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel

from jobs.bundles.bundle import Bundle, open_bundle
from jobs.discovery import bundle_readers
from jobs.errors import NotReadError, UsageError
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.landing.collect import Part, land
from jobs.landing.landing import Landing
from jobs.landing.manifest import Manifest
from jobs.landing.order import check_is_newest, newest_begun
from jobs.landing.seals import list_seals
from jobs.process.snapshot import check_one_was_read
from jobs.settings import Settings
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.settings import Settings as LogDirsSettings
from jobs.storage import open_storage
from schemas.snapshots import GapReason


@dataclass(frozen=True)
class Imported:
    """What landed, and what of the bundle was not used.

    `not_configured` are sources that the cluster does not have, `refused` are links, devices, files that cannot be read
    and log dirs that are not configured.
    """

    manifests: tuple[Manifest, ...]
    not_configured: tuple[str, ...]
    refused: tuple[str, ...]


def import_bundle(settings: Settings, cluster: str, path: Path, captured_at: datetime) -> Imported:
    """Land every part of the bundle at `path` that belongs to a source of the cluster.

    Raises UsageError when it holds none or `captured_at` is in the future, SnapshotRefusedError when that is before
    the newest committed snapshot, VarveError when nothing in the bundle can be read.
    """
    snapshot_id = snapshot_id_at(captured_at)
    if captured_at > datetime.now(UTC):
        raise UsageError(f"{snapshot_id} is in the future: say with --at when the bundle was made")
    storage = open_storage(settings.lake)
    sight = Sight(storage, cluster)
    newest = newest_begun(sight, list_seals(storage, cluster).unfinished(sight))
    check_is_newest(cluster, snapshot_id, newest)
    configured = settings.cluster(cluster).sources
    with open_bundle(path, _kept(configured)) as bundle:
        found = bundle.find(_sources_of)
        _check_found(found, cluster, list(configured), path)
        manifests = [
            land(
                settings,
                Part(cluster, source, snapshot_id),
                _reader(source, configured, bundle, paths),
                captured_at,
            )
            for source, paths in found.items()
            if source in configured
        ]
    check_one_was_read(manifests)
    others = tuple(sorted(found.keys() - configured.keys()))
    return Imported(tuple(manifests), others, tuple(bundle.refused))


def _kept(configured: Mapping[str, BaseModel]) -> Budget | None:
    """What the settings allow to be held of log dirs."""
    log_dirs = configured.get("log_dirs")
    if not isinstance(log_dirs, LogDirsSettings):
        return None
    return Budget(log_dirs.max_bytes, log_dirs.max_snapshot_bytes)


def _reader(
    source: str, configured: Mapping[str, BaseModel], bundle: Bundle, paths: list[str]
) -> Callable[[Landing], None]:
    reader = bundle_readers()[source]

    def read(landing: Landing) -> None:
        try:
            reader.collect_bundle(configured[source], bundle, paths, landing)
        except OSError as error:
            raise NotReadError(
                GapReason.UNREADABLE,
                f"What {bundle.path} holds of {source} cannot be read to its end: {error}",
            ) from error

    return read


def _sources_of(path: str, head: bytes) -> list[str]:
    return [source for source, reader in bundle_readers().items() if reader.recognise(path, head)]


def _check_found(found: Mapping[str, list[str]], cluster: str, configured: list[str], path: Path) -> None:
    if found.keys() & set(configured):
        return
    of_others = f" It holds {' and '.join(sorted(found))}, which {cluster} does not have." if found else ""
    looked_for = [
        f"{source}: {reader.LOOKED_FOR}"
        for source, reader in bundle_readers().items()
        if source in configured
    ]
    told = (
        f"Looked for: {'; '.join(looked_for)}"
        if looked_for
        else "None of its sources can be imported from a bundle."
    )
    raise UsageError(f"{path} holds nothing of {cluster}.{of_others} {told}")
