"""The newest snapshot of one cluster, of which a gate asks."""

from datetime import datetime
from functools import cached_property
from typing import Any

from jobs.lake.read import LakeReader
from jobs.wording import counted, printable

_SHOWN = 3
_SNAPSHOT = "SELECT snapshot_id, authority, sources FROM snapshots ORDER BY snapshot_id DESC LIMIT 1"


class Asked:
    """What is asked of one cluster: `broker` is the one that the act concerns, None for every broker."""

    def __init__(self, reader: LakeReader, broker: int | None = None) -> None:
        self.reader = reader
        self.broker = broker
        ((self.snapshot_id, self.authority, self._sources),) = reader.query(_SNAPSHOT).rows

    @property
    def sources(self) -> dict[str, datetime]:
        """The sources of the snapshot, and when each began to be read."""
        return {each["source"]: each["started_at"] for each in self._sources}

    @cached_property
    def is_kraft(self) -> bool:
        """A quorum of KRaft controllers is in control."""
        return self.authority == "kafka" and bool(self.rows("SELECT leader_id FROM quorum"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a SELECT."""
        return self.reader.query(sql).rows


def named(count: int, noun: str, names: list[str]) -> str:
    """`5 topics (audit, orders, payments and 2 more)`."""
    shown = ", ".join(map(printable, names[:_SHOWN]))
    more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
    return f"{counted(count, noun)} ({shown}{more})"
