"""`varve snapshot`: collect every source of a cluster side by side, then process what landed."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from jobs.errors import VarveError
from jobs.landing.collect import collect
from jobs.landing.manifest import Manifest
from jobs.settings import Settings
from schemas.snapshots import SourceStatus


def collect_all(settings: Settings, cluster: str, snapshot_id: str) -> list[Manifest]:
    """Collect every source. Raises VarveError when not one of them could be read."""
    sources = list(settings.cluster(cluster).sources)
    with ThreadPoolExecutor(len(sources)) as pool:
        manifests = list(pool.map(lambda source: collect(settings, cluster, source, snapshot_id), sources))
    check_one_was_read(manifests)
    return manifests


def check_one_was_read(manifests: Sequence[Manifest]) -> None:
    """Raises VarveError when not one source could be read."""
    if all(manifest.status is SourceStatus.FAILED for manifest in manifests):
        raise VarveError("\n".join(gap.message for manifest in manifests for gap in manifest.gaps))


def snapshot(settings: Settings, cluster: str, snapshot_id: str) -> list[Manifest]:
    """Take one whole snapshot; says what each source brought."""
    manifests = collect_all(settings, cluster, snapshot_id)
    from jobs.process import process

    process(settings, cluster, snapshot_id)
    return manifests
