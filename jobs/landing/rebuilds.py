"""A rebuild commits the past as it was when it began: once somebody else has the lock, nothing of it may come any more.

A driver that was paused in an append does not know that its lease has ended: what it appended then would be seen as soon as
another rebuild is committed that did not make the same table again.
"""

from jobs.lake.layout import rebuild_path
from jobs.lake.once import REBUILD, never
from jobs.landing.seals import Seals
from jobs.storage import Storage
from schemas.judgement import EVENTS, FINDINGS
from schemas.registry import derived
from schemas.snapshots import SNAPSHOTS
from schemas.table import Table
from schemas.whatif import WHATIF


def rebuilt_tables() -> list[Table]:
    """The tables that a rebuild makes again."""
    return [*derived(), EVENTS, FINDINGS, WHATIF]


def begin_rebuild(storage: Storage, cluster: str, generation: int) -> None:
    """Say that a rebuild has begun."""
    storage.create(rebuild_path(cluster, generation), b"")


def end_rebuild(storage: Storage, cluster: str, generation: int) -> None:
    """Say that a rebuild is committed."""
    storage.delete(rebuild_path(cluster, generation))


def give_up_rebuilds(storage: Storage, cluster: str, seals: Seals) -> None:
    """Have rebuilds that began and did not end never come into a table; whoever calls it holds the cluster's writer lock."""
    for generation in seals.rebuilds:
        for table in [SNAPSHOTS, *rebuilt_tables()] if storage.locks_expire else ():
            never(storage, cluster, table.name, REBUILD, generation)
        end_rebuild(storage, cluster, generation)
