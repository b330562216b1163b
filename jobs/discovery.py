"""Finds what a folder holds: the function of each module's own name, or the modules themselves."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Every module of a package, by name."""
    for name in sorted(info.name for info in iter_modules(package.__path__)):
        yield import_module(f"{package.__name__}.{name}")
