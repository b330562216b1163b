"""The log dirs in a support bundle: every folder with a `meta.properties`, which says whose it is."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from threading import Lock

from jobs.bundles.bundle import Bundle
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.log_dirs.collect import land_log_dir
from jobs.sources.log_dirs.contents import META_PROPERTIES, File
from jobs.sources.log_dirs.files import read_file
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.meta_properties import parse_meta_properties
from jobs.sources.log_dirs.read import read_roots
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.ways.disk import Disk
from jobs.sources.log_dirs.ways.places import places

LOOKED_FOR = "log dirs of brokers and controllers: folders with a meta.properties and what is below them"

Folders = defaultdict[int, list[str]]
"""Folders of a bundle, or paths of the configuration, by their broker."""

_log = logging.getLogger(__name__)


def recognise(path: str, _head: bytes) -> bool:
    """Whether a file makes its folder a log dir."""
    return path.rpartition("/")[2] == META_PROPERTIES


def collect_bundle(settings: Settings, bundle: Bundle, paths: Sequence[str], landing: Landing) -> None:
    """Land every configured log dir; one that is not in the bundle is a gap.

    A log dir that is not configured is refused: it has no name but its path in this bundle, and the next bundle would
    lack it.
    """
    landing.looked_at = settings.scopes
    disk, configured = bundle.disk(), _configured(settings)
    folders = asyncio.run(_folders_by_broker(disk, paths, configured))
    for broker in sorted({*configured, *folders}):
        found = places(configured[broker], folders[broker], f"the bundle, among those of broker {broker},")
        bundle.refused += [
            f"{folder} (a log dir of broker {broker} that was not used: no path under log_dirs in varve.yaml fits it alone)"
            for folder in folders[broker]
            if folder not in found.values()
        ]
        for path, outcome in asyncio.run(read_roots(broker, found, disk, settings)).items():
            land_log_dir(broker, path, outcome, landing, Lock())


def _configured(settings: Settings) -> Folders:
    configured = Folders(list)
    for entry in settings.brokers:
        configured[entry.broker] += map(str, entry.paths)
    return configured


async def _folders_by_broker(
    disk: Disk, paths: Sequence[str], configured: Mapping[int, list[str]]
) -> Folders:
    """The log dirs' folders by the broker that their `meta.properties` names, or else by the only one with such a path."""
    folders = Folders(list)
    for path in paths:
        folder = path.rpartition("/")[0]
        owner = _node_id(await read_file(disk, path))
        alike = [
            id for id, of_broker in configured.items() if any(f"/{folder}".endswith(p) for p in of_broker)
        ]
        if owner is None and len(alike) == 1:
            owner = alike[0]
        if owner is None:
            _log.warning("%s does not tell whose log dir it is in, and that is passed over", path)
        else:
            folders[owner].append(folder)
    return folders


def _node_id(meta: File | NotReadError) -> int | None:
    try:
        return parse_meta_properties(meta.content).node_id if isinstance(meta, File) else None
    except ParseError:
        return None
