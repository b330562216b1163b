"""Which code made a snapshot."""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_DECIDING = (
    "schemas/**/*.py",
    "expectations/**/*.py",
    "jobs/*.py",
    *(
        f"jobs/{room}/**/*.py"
        for room in (
            "checks",
            "events",
            "lake",
            "landing",
            "machine",
            "process",
            "storage",
            "tables",
            "timelines",
            "upkeep",
            "whatif",
        )
    ),
)
"""The code that decides what of a raw state becomes rows, events, findings and results of expectations."""
_ENGINES = ("pyspark", "duckdb", "pyarrow", "deltalake", "great-expectations")
"""What computes them; the version of Delta on Spark stands in `jobs.machine.jars`."""


@cache
def code_version() -> str:
    """Varve's version and, in a checkout too, what tells two states of its tables' code apart: `0.1.0+3fa9c1d2`.

    Two versions of an engine are two states of the code, too.
    """
    digest = hashlib.sha256()
    for path in deciding_files():
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    for engine in _ENGINES:
        digest.update(f"{engine}=={version(engine)}".encode())
    return f"{version('varve')}+{digest.hexdigest()[:8]}"


def deciding_files() -> Iterator[Path]:
    """The files whose text is part of the version, always in one order."""
    for pattern in _DECIDING:
        yield from sorted(_ROOT.glob(pattern))
