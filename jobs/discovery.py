"""Finds what a folder holds, so that nothing is registered: modules, sources, and what belongs to each source."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

Value = TypeVar("Value")


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Every module of a package by name; folders in it hold what the modules share."""
    for name in sorted(info.name for info in iter_modules(package.__path__) if not info.ispkg):
        yield import_module(f"{package.__name__}.{name}")


def values(package: ModuleType, name: str, of: type[Value]) -> dict[str, Value]:
    """What every module of a package holds under one name, by the module's own. Raises ValueError when one holds none."""
    found = {}
    for module in modules(package):
        value = getattr(module, name, None)
        if not isinstance(value, of):
            raise ValueError(f"{module.__name__} holds no {name.lower()}: set {name} = {of.__name__}(…)")
        found[module.__name__.rpartition(".")[2]] = value
    return found


@cache
def source_names() -> tuple[str, ...]:
    """The sources: every folder of `jobs/sources`."""
    package = import_module("jobs.sources")
    return tuple(sorted(info.name for info in iter_modules(package.__path__) if info.ispkg))


def source_settings(name: str) -> "type[BaseModel]":
    """The settings model of a source."""
    settings: type[BaseModel] = import_module(f"jobs.sources.{name}.settings").Settings
    return settings


def source_collect(name: str) -> Any:
    """The `collect(settings, landing)` of a source; importing it imports the source's client library."""
    return import_module(f"jobs.sources.{name}.collect").collect


def source_probe(name: str) -> Any:
    """The `probe(settings)` of a source."""
    return import_module(f"jobs.sources.{name}.probe").probe


@cache
def bundle_readers() -> dict[str, Any]:
    """What finds a source in a support bundle, for the sources that have it: `jobs/bundles/<source>/reader.py`.

    Each is a module with `LOOKED_FOR`, `recognise` and `collect_bundle`. `recognise(path, head)` tells by a file's path
    and first bytes whether it is the source's, `collect_bundle(settings, bundle, paths, landing)` lands those that are.
    """
    package = import_module("jobs.bundles")
    found = sorted(info.name for info in iter_modules(package.__path__) if info.ispkg)
    return {name: import_module(f"jobs.bundles.{name}.reader") for name in found}
