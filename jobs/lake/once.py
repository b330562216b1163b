"""What is done once, whatever drivers there are: a table's Delta log keeps the newest number that an application did there.

A number that is as high as one that was done, or lower, is not done any more. That is one entry for all of them, because
they come in order: one for each would grow with their number.
"""

from jobs.lake.files import delta_table
from jobs.lake.snapshot_id import logical_time
from jobs.storage import Storage

SNAPSHOT = "varve"
"""What appends for snapshots, numbered by `number_of`."""

REBUILD = "varve rebuild"
"""What appends for rebuilds, numbered by their generation."""


def once(application: str, number: int) -> dict[str, str]:
    """The options with which Spark appends nothing where the application did that number, or a higher one."""
    return {"txnAppId": application, "txnVersion": str(number)}


def never(storage: Storage, cluster: str, table: str, application: str, number: int) -> None:
    """Have what an application appends `once` for that number, or a lower one, never come into a table that is there."""
    from deltalake import CommitProperties, Transaction

    delta = delta_table(storage, cluster, table)
    if delta and (delta.transaction_version(application) or 0) < number:
        properties = CommitProperties(app_transactions=[Transaction(application, number)])
        delta.create_write_transaction([], "append", delta.schema(), commit_properties=properties)


def newest_done(storage: Storage, cluster: str, table: str, application: str) -> int:
    """The highest number that an application did in a table, 0 where it did none."""
    delta = delta_table(storage, cluster, table)
    return (delta and delta.transaction_version(application)) or 0


def number_of(snapshot_id: str) -> int:
    """The number of a snapshot: its seconds since 1970."""
    return int(logical_time(snapshot_id).timestamp())
