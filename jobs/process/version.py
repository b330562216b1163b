"""Which code made a snapshot."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("schemas", "expectations", "jobs/tables", "jobs/lake", "jobs/process")
"""The code that decides what the typed tables and the results of expectations hold."""


@cache
def code_version() -> str:
    """Varve's version and, in a checkout too, what tells two states of its tables' code apart: `0.1.0+3fa9c1d2`."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return f"{version('varve')}+{digest.hexdigest()[:8]}"
