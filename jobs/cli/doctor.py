"""`varve doctor`: tries everything Varve needs and says what to do where something is missing."""

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from jobs.discovery import source_probe
from jobs.errors import VarveError
from jobs.machine.jars import DELTA_VERSION, delta_jars, delta_jars_are_there
from jobs.machine.java import find_java
from jobs.settings import ClusterSettings, load_settings
from jobs.sources.probe import Probe


def examine(settings_path: Path) -> Iterator[Probe]:
    """One thing after the other, each as soon as it is known; nothing is fetched or written."""
    yield _java()
    yield _jars()
    try:
        settings = load_settings(settings_path)
    except VarveError as error:
        yield Probe("settings", False, str(error))
        return
    yield Probe(
        "settings", True, f"{settings_path}: {', '.join(cluster.name for cluster in settings.clusters)}"
    )
    yield _lake(settings.lake)
    for cluster in settings.clusters:
        yield from _sources(cluster)


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


def _lake(lake: Path) -> Probe:
    there = next(folder for folder in (lake, *lake.parents) if folder.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return Probe("lake", True, f"{lake} can be written")
    return Probe(
        "lake", False, f"{there} cannot be written: give this user the right, or choose another `lake`"
    )


def _sources(cluster: ClusterSettings) -> Iterator[Probe]:
    for name, settings in cluster.sources.items():
        for probe in source_probe(name)(settings):
            yield Probe(f"{cluster.name}: {probe.what}", probe.ok, probe.message)
