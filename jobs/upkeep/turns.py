"""Upkeep as part of the normal day: after each commit a few of the tables have their turn."""

import logging

from jobs.lake.sight import Sight
from jobs.storage import Storage
from jobs.upkeep.tidy import tidy
from schemas.registry import tables

log = logging.getLogger(__name__)

TURNS = 12
"""After so many snapshots each table had its turn: no snapshot pays for all of them."""


def tidy_some(storage: Storage, sight: Sight) -> None:
    """Tidy the tables whose turn it is. A failure is logged: the snapshot is committed, and the next turn tries again."""
    for name in sorted(tables())[sight.count % TURNS :: TURNS]:
        try:
            if tidied := tidy(storage, sight.cluster, name):
                log.info("%s: %d files became %d", name, tidied.files_before, tidied.files)
        except Exception:
            log.warning("%s could not be tidied, which a later snapshot tries again", name, exc_info=True)
