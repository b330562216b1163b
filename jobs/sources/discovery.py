"""Finds the sources: every package in this folder is one."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pydantic import BaseModel

import jobs.sources


@cache
def source_names() -> tuple[str, ...]:
    return tuple(sorted(info.name for info in iter_modules(jobs.sources.__path__) if info.ispkg))


def source_settings(name: str) -> type[BaseModel]:
    """The settings model of a source."""
    settings: type[BaseModel] = import_module(f"jobs.sources.{name}.settings").Settings
    return settings


def source_collect(name: str) -> Any:
    """The `collect(settings, landing)` of a source; importing it imports the source's client library."""
    return import_module(f"jobs.sources.{name}.collect").collect


def source_probe(name: str) -> Any:
    """The `probe(settings)` of a source."""
    return import_module(f"jobs.sources.{name}.probe").probe


def source_bundle(name: str) -> Any:
    """What a source finds in a support bundle: a module with `LOOKED_FOR`, `recognise` and `collect_bundle`.

    `recognise(path, head)` tells by a file's path and first bytes whether it is the source's,
    `collect_bundle(settings, bundle, paths, landing)` lands those that are.
    """
    return import_module(f"jobs.sources.{name}.bundle")
