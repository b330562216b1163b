"""A lake of many snapshots, made from one that the real writer wrote: what it would have gone on to write.

The cluster is quiet: a hundred times a day one partition loses a replica from its ISR, and regains it with the next
change. One gap stays. Rows are appended as the writer appends them and tidied as it tidies them; of all but the newest
snapshots many are appended at once, as they lie after the upkeep.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa
from deltalake import write_deltalake

from jobs.lake.arrow import arrow_schema
from jobs.lake.ddl import table_properties
from jobs.lake.eras import EraLimits
from jobs.lake.files import stored_files
from jobs.lake.layout import table_path
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.lake.stored import StoredRows
from jobs.storage import Storage
from jobs.upkeep.tidy import tidy
from jobs.upkeep.turns import TURNS
from schemas.registry import tables

EVERY = timedelta(minutes=10)
A_DAY = timedelta(days=1) // EVERY
CHANGES_A_DAY = 100
ONE_BY_ONE = 1_000
GAP = {"source": "kafka", "scope": "/acls", "reason": "unauthorized", "message": "may not be read"}

Row = dict[str, Any]


@dataclass
class Years:
    """The lake of a cluster that has one committed snapshot, and what its next ones append."""

    storage: Storage
    cluster: str
    _living: dict[str, list[Row]] = field(default_factory=dict)
    _eras: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sight = Sight(self.storage, self.cluster)
        self._first = sight.newest.snapshot_id
        stored = StoredRows(self.storage, sight)
        (self._commit,) = stored.written(tables()["snapshots"], sight.newest.written_by).to_pylist()
        for name in ("admin_partitions", "partitions"):
            self._living[name] = stored.living(tables()[name]).to_pylist()
            self._eras[name] = self._first

    def grow(self, snapshots: int) -> str:
        """Append so many snapshots; gives the id of the last."""
        ids = [snapshot_id_at(logical_time(self._first) + EVERY * turn) for turn in range(1, snapshots + 1)]
        at_once, one_by_one = ids[:-ONE_BY_ONE], ids[-ONE_BY_ONE:]
        gathered: dict[str, list[Row]] = {}
        for turn, snapshot_id in enumerate(at_once, 1):
            for name, row in self._rows(turn, snapshot_id):
                gathered.setdefault(name, []).append(row)
        for name, rows in gathered.items():
            self._append(name, rows)
            tidy(self.storage, self.cluster, name, small_files=1)
        for turn, snapshot_id in enumerate(one_by_one, len(at_once) + 1):
            self._append_one(dict(enumerate(self._rows(turn, snapshot_id))).values())
            for name in sorted(tables())[turn % TURNS :: TURNS]:
                tidy(self.storage, self.cluster, name)
        return ids[-1]

    def _append_one(self, rows: Any) -> None:
        of_table: dict[str, list[Row]] = {}
        for name, row in rows:
            of_table.setdefault(name, []).append(row)
        for name, of_one in of_table.items():
            self._append(name, of_one)

    def _rows(self, turn: int, snapshot_id: str) -> Iterator[tuple[str, Row]]:
        captured_at = logical_time(snapshot_id) + timedelta(seconds=5)
        stamp = {
            "snapshot_id": snapshot_id,
            "written_by": snapshot_id,
            "generation": 0,
            "cluster": self.cluster,
        }
        if turn * CHANGES_A_DAY // A_DAY > (turn - 1) * CHANGES_A_DAY // A_DAY:
            number = turn * 7 % len(self._living["partitions"])
            for name in self._living:
                yield from ((name, row) for row in self._changed(name, number, captured_at, stamp))
            yield "events", self._event(number, captured_at) | stamp
        sources = [
            each | {"started_at": captured_at, "captured_at": captured_at} for each in self._commit["sources"]
        ]
        moment = {
            "committed_at": captured_at,
            "logical_at": logical_time(snapshot_id),
            "captured_at": captured_at,
        }
        yield "coverage_gaps", GAP | stamp
        yield "snapshots", self._commit | moment | stamp | {"sources": sources, "status": "partial"}

    def _changed(self, name: str, number: int, captured_at: datetime, stamp: Row) -> Iterator[Row]:
        row = self._living[name][number]
        isr = row["replicas"] if row["isr"] != row["replicas"] else row["replicas"][:-1]
        self._living[name][number] = row = row | {
            "isr": isr,
            "changed_at": captured_at,
            "snapshot_id": stamp["snapshot_id"],
        }
        era = self._eras[name]
        yield row | {"op": "update", "era": era} | stamp
        if logical_time(stamp["snapshot_id"]) - logical_time(era) >= timedelta(days=EraLimits().days):
            self._eras[name] = stamp["written_by"]
            last_change = ("changed_at", "snapshot_id")
            for each in self._living[name]:
                kept = {key: each[key] for key in last_change}
                yield each | stamp | {"op": "keyframe", "era": stamp["written_by"]} | kept

    def _event(self, number: int, captured_at: datetime) -> Row:
        row = self._living["partitions"][number]
        return {
            "event": "isr-shrank" if row["isr"] != row["replicas"] else "isr-grew",
            "subject": f"{row['topic']}-{row['partition']}",
            "from_value": str(row["replicas"]),
            "to_value": str(row["isr"]),
            "partitions_touched": 1,
            "since_snapshot_id": self._first,
            "since_at": captured_at - EVERY,
            "captured_at": captured_at,
        }

    def _append(self, name: str, rows: list[Row]) -> None:
        table = tables()[name]
        data = pa.Table.from_pylist(rows, arrow_schema(table.stored_columns))
        path = self.storage.location(table_path(self.cluster, name))
        new = None if stored_files(self.storage, self.cluster, name) else table_properties(table)
        partitions = list(table.partition_columns)
        write_deltalake(path, data, mode="append", partition_by=partitions, configuration=new)
