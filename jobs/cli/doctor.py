"""`varve doctor`: tries everything Varve needs and says what to do where something is missing."""

import os
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel

from jobs.discovery import source_probe
from jobs.errors import VarveError
from jobs.machine.jars import DELTA_VERSION, delta_jars, delta_jars_are_there
from jobs.machine.java import find_java
from jobs.machine.masters import check_master
from jobs.settings import Settings, load_settings
from jobs.sources.probe import Probe
from jobs.spark_settings import SparkSettings
from jobs.storage import Bucket, Location

_AT_ONCE = 16


def examine(settings_path: Path) -> list[Probe]:
    """What was tried: first what is wrong, then what is fine, each in the order of `varve.yaml`.

    Nothing is fetched, and nothing written but an object that a lake in an object store is tried out with.
    """
    probes = [_java(), _jars(), *_settings(settings_path)]
    return sorted(probes, key=lambda probe: probe.ok)


def _java() -> Probe:
    try:
        return Probe("Java", True, str(find_java()))
    except VarveError as error:
        return Probe("Java", False, str(error))


def _jars() -> Probe:
    what = f"Spark {version('pyspark')}, Delta {DELTA_VERSION}"
    if not delta_jars_are_there():
        return Probe(
            what,
            False,
            "the jars are not here yet: `make setup` fetches them, or else the first snapshot does",
        )
    return Probe(what, True, f"jars in {delta_jars()[0].parent.parent}")


def _settings(path: Path) -> list[Probe]:
    """The settings file and all it names."""
    try:
        settings = load_settings(path)
    except VarveError as error:
        return [Probe("settings", False, str(error))]
    clusters = ", ".join(cluster.name for cluster in settings.clusters)
    known = Probe("settings", True, f"{path}: {clusters}")
    return [known, _lake(settings.lake), *_master(settings.spark), *_sources(settings)]


def _master(where: SparkSettings) -> list[Probe]:
    """Whether the cluster that Spark is to run on answers; nothing where Spark runs on this host."""
    if where.is_local:
        return []
    try:
        check_master(where)
    except VarveError as error:
        return [Probe("Spark", False, str(error))]
    told = (
        "answers" if where.master.startswith("spark://") else "is asked when the first snapshot is processed"
    )
    return [Probe("Spark", True, f"{where.master} {told}")]


def _lake(lake: Location) -> Probe:
    if not isinstance(lake, Path):
        return _object_store(lake)
    there = next(folder for folder in (lake, *lake.parents) if folder.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return Probe("lake", True, f"{lake} can be written")
    return Probe(
        "lake", False, f"{there} cannot be written: give this user the right, or choose another `lake`"
    )


def _object_store(lake: Bucket) -> Probe:
    from jobs.storage.trial import try_out

    try:
        return Probe("lake", True, try_out(lake))
    except VarveError as error:
        return Probe("lake", False, str(error))


def _sources(settings: Settings) -> list[Probe]:
    """Every source of every cluster, side by side: one that does not answer costs its time only once."""
    sources = [
        (cluster.name, name, source)
        for cluster in settings.clusters
        for name, source in cluster.sources.items()
    ]
    with ThreadPoolExecutor(min(len(sources), _AT_ONCE)) as pool:
        tried = pool.map(lambda source: _source(*source), sources)
        return [probe for probes in tried for probe in probes]


def _source(cluster: str, name: str, settings: BaseModel) -> list[Probe]:
    return [
        Probe(f"{cluster}: {probe.what}", probe.ok, probe.message) for probe in source_probe(name)(settings)
    ]
