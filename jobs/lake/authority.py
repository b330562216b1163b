"""Which source the typed tables follow, where a cluster is read from both ZooKeeper and the Kafka API."""

import json
from collections.abc import Collection

from schemas.table import Table


def authority(sources: Collection[str], controller_znode: str | None) -> str:
    """`zookeeper` until `/controller` carries a kraftControllerEpoch (KIP-866: a KRaft controller rules), then `kafka`.

    Empty when neither source is configured.
    """
    if "zookeeper" in sources and not ("kafka" in sources and _is_kraft(controller_znode)):
        return "zookeeper"
    return "kafka" if "kafka" in sources else ""


def source_of(table: Table, authority: str) -> str:
    """The source a table's rows are from: its own, or the one with authority, or the only one it can come from."""
    if table.source or authority in table.scopes or len(table.scopes) != 1:
        return table.source or authority
    return next(iter(table.scopes))


def _is_kraft(controller_znode: str | None) -> bool:
    try:
        document = json.loads(controller_znode or "{}")
    except (ValueError, RecursionError):
        return False
    epoch = document.get("kraftControllerEpoch", -1) if isinstance(document, dict) else -1
    return isinstance(epoch, int) and epoch >= 0
