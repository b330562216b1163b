"""What is done once for each snapshot, whatever drivers there are: a table's Delta log keeps the newest snapshot that did it.

That is one entry for all snapshots, because they come in order: one for each would grow with their number.
"""

from jobs.lake.files import delta_table
from jobs.lake.snapshot_id import logical_time
from jobs.storage import Storage

_APPLICATION = "varve"


def once(snapshot_id: str) -> dict[str, str]:
    """The options with which Spark appends nothing that was appended for that snapshot or a newer one."""
    return {"txnAppId": _APPLICATION, "txnVersion": str(_number(snapshot_id))}


def never(storage: Storage, cluster: str, table: str, snapshot_id: str) -> None:
    """Have what is appended `once` for that snapshot, or an older one, never come into a table that is there."""
    from deltalake import CommitProperties, Transaction

    delta = delta_table(storage, cluster, table)
    if delta and (delta.transaction_version(_APPLICATION) or 0) < _number(snapshot_id):
        done = Transaction(_APPLICATION, _number(snapshot_id))
        properties = CommitProperties(app_transactions=[done])
        delta.create_write_transaction([], "append", delta.schema(), commit_properties=properties)


def _number(snapshot_id: str) -> int:
    return int(logical_time(snapshot_id).timestamp())
