"""Upkeep as part of the normal day: after each commit a few of the tables have their turn."""

import logging

from jobs.lake.upkeep import tidy
from jobs.lake.write import DeltaTables
from schemas.registry import tables

log = logging.getLogger(__name__)

_TURNS = 12
"""After so many snapshots each table had its turn: no snapshot pays for all of them."""


def tidy_some(delta: DeltaTables) -> None:
    """Tidy the tables whose turn it is. A failure is logged: the snapshot is committed, and the next turn tries again."""
    turn = delta.sight.count % _TURNS
    for name in sorted(tables())[turn::_TURNS]:
        try:
            if tidied := tidy(delta.storage, delta.cluster, name):
                log.info("%s: %d files became %d", name, tidied.files_before, tidied.files)
        except Exception:
            log.warning("%s could not be tidied, which a later snapshot tries again", name, exc_info=True)
