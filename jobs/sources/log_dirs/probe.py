"""Says for `varve doctor` which log dirs can be read."""

import os

from jobs.sources.log_dirs.collect import explain
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line per log dir."""
    return [_probe(entry.broker, str(path)) for entry in settings.root for path in entry.local]


def _probe(broker: int, path: str) -> Probe:
    what = f"log dir {path} of broker {broker}"
    try:
        with os.scandir(path) as entries:
            count = sum(entry.is_dir() for entry in entries)
    except OSError as error:
        return Probe(what, False, explain(error, broker, path)[1])
    return Probe(what, True, f"{count} directories")
