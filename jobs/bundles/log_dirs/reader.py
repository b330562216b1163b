"""The log dirs in a support bundle: every folder with a `meta.properties`, which says whose it is."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from jobs.bundles.bundle import Bundle
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.log_dirs.collect import land_log_dir
from jobs.sources.log_dirs.contents import META_PROPERTIES, LogDirFiles
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.meta_properties import parse_meta_properties
from jobs.sources.log_dirs.settings import ArchiveLogDirs, Settings
from jobs.sources.log_dirs.ways.places import places
from jobs.sources.log_dirs.ways.read import read_log_dirs

LOOKED_FOR = "log dirs of brokers and controllers: folders with a meta.properties and what is below them"

_MAX_META_BYTES = 1 << 20

_log = logging.getLogger(__name__)


def recognise(path: str, _head: bytes) -> bool:
    """Whether a file makes its folder a log dir."""
    return path.rpartition("/")[2] == META_PROPERTIES


def collect_bundle(settings: Settings, bundle: Bundle, paths: Sequence[str], landing: Landing) -> None:
    """Land every configured log dir; one that is not in the bundle is a gap.

    A log dir that is not configured is refused: it has no name but its path in this bundle, and would be gone in the next.
    """
    configured = _configured(settings)
    folders = _folders_by_broker(bundle, paths, configured)
    for broker in sorted({*configured, *folders}):
        names, absent = _names(broker, configured[broker], folders[broker])
        bundle.refused += [
            f"{folder} (a log dir of broker {broker} that is not under log_dirs in varve.yaml)"
            for folder in folders[broker]
            if folder not in names
        ]
        for path, why in absent.items():
            landing.gap(f"/{broker}{path}", why.reason, str(why))
        if names:
            _land(broker, names, (settings, bundle), landing)


def _configured(settings: Settings) -> defaultdict[int, list[str]]:
    """The configured paths by broker."""
    configured = defaultdict[int, list[str]](list)
    for entry in settings.brokers:
        configured[entry.broker] += map(str, entry.paths)
    return configured


def _folders_by_broker(
    bundle: Bundle, paths: Sequence[str], configured: Mapping[int, list[str]]
) -> defaultdict[int, list[str]]:
    """The log dirs' folders by the broker that their `meta.properties` names, or else by the only one with such a path."""
    folders = defaultdict[int, list[str]](list)
    for path in paths:
        folder = path.rpartition("/")[0]
        owner = _node_id(bundle.read(path, _MAX_META_BYTES))
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


def _node_id(content: bytes) -> int | None:
    try:
        return parse_meta_properties(content).node_id
    except ParseError:
        return None


def _names(
    broker: int, configured: Sequence[str], folders: Sequence[str]
) -> tuple[dict[str, str], dict[str, NotReadError]]:
    """The path by which a broker knows each folder, and why a configured path is not among them."""
    found = places(configured, folders, f"the bundle, among those of broker {broker},")
    absent = {path: why for path, why in found.items() if isinstance(why, NotReadError)}
    names = {folder: path for path, folder in found.items() if isinstance(folder, str)}
    return names, absent


def _land(broker: int, names: Mapping[str, str], where: tuple[Settings, Bundle], landing: Landing) -> None:
    settings, bundle = where
    in_bundle = [Path(f"/{folder}") for folder in names]
    entry = ArchiveLogDirs(broker=broker, archive=bundle.path.resolve(), paths=in_bundle)
    unseen, lock = set(names), Lock()
    try:
        for path, found in read_log_dirs(entry, settings):
            folder = path.strip("/")
            unseen.remove(folder)
            if isinstance(found, LogDirFiles):
                found.path = names[folder]
            land_log_dir(broker, names[folder], found, landing, lock)
    except NotReadError as error:
        for folder in unseen:
            landing.gap(f"/{broker}{names[folder]}", error.reason, str(error))
