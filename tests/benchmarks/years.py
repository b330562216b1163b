"""A lake of many snapshots, made from one that the real writer wrote: what it would have gone on to write.

The cluster is quiet: a hundred times a day something changes, a partition loses a replica from its ISR or regains it.
One gap stays. A test compares the rows with those of the real writer. They are appended as the writer appends them and
tidied as it tidies them; of all but the newest snapshots many are appended at once, as they lie after the upkeep.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from deltalake import DeltaTable, Schema, write_deltalake

from jobs.checks.under_replicated_partition import CHECK
from jobs.lake.arrow import arrow_schema
from jobs.lake.ddl import table_properties
from jobs.lake.eras import EraLimits
from jobs.lake.files import delta_table
from jobs.lake.layout import table_path
from jobs.lake.sandbox import open_sandbox
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.lake.stored import StoredRows
from jobs.process.frames import answer, frames_read_by
from jobs.settings import History
from jobs.storage import Storage
from jobs.upkeep.tidy import tidy
from jobs.upkeep.turns import TURNS
from jobs.whatif.election import per_broker
from schemas.registry import tables
from schemas.table import Kind

EVERY = timedelta(minutes=10)
A_DAY = timedelta(days=1) // EVERY
CHANGES_A_DAY = 100
CAPTURED_AFTER = timedelta(seconds=5)

Row = dict[str, Any]


class Turn(NamedTuple):
    """One of the snapshots that are added, from 1 on."""

    number: int
    snapshot_id: str
    logical_at: datetime
    captured_at: datetime

    @property
    def stamp(self) -> Row:
        return {"snapshot_id": self.snapshot_id, "written_by": self.snapshot_id}


def out_of_isr(turn: int, partitions: int) -> int | None:
    """The number of the partition whose last replica is out of the ISR then: each in turn, by topic and number."""
    changes = turn * CHANGES_A_DAY // A_DAY
    return changes // 2 * 7 % partitions if changes % 2 else None


def without_last(row: Row) -> Row:
    """A partition whose last replica is out of the ISR."""
    return row | {"isr": row["replicas"][:-1]}


class Years:
    """The lake of a cluster that has one committed snapshot, in which all is well, and what its next ones append."""

    def __init__(
        self,
        storage: Storage,
        cluster: str,
        limits: EraLimits = EraLimits(),  # noqa: B008
        *,
        with_series: bool = True,
    ) -> None:
        self._storage, self._cluster, self._limits = storage, cluster, limits
        sight = Sight(storage, cluster)
        self._first = sight.newest.snapshot_id
        stored = StoredRows(storage, sight)
        self._of_first = {
            name: sight.connection.sql(stored.written(table, self._first)).to_arrow_table()
            for name, table in tables().items()
        }
        (self._commit_of_first,) = self._of_first["snapshots"].to_pylist()
        self._living = {
            name: {_key(name, row): row for row in stored.living(tables()[name]).to_pylist()}
            for name in ("admin_partitions", "partitions", "findings", "whatif")
        }
        is_series = {name: with_series and table.kind is Kind.SERIES for name, table in tables().items()}
        self._series = [name for name, rows in self._of_first.items() if rows and is_series[name]]
        self._keys = sorted(self._living["partitions"])
        self._asked = {name: stored.living(tables()[name]) for name in frames_read_by(per_broker())}
        self._absences: dict[int | None, pa.Table] = {}
        self._eras = dict.fromkeys(self._living, self._first)
        self._open: dict[str, DeltaTable] = {}

    def grow(self, snapshots: int, one_by_one: int = A_DAY) -> str:
        """Append so many snapshots; gives the id of the last.

        Of the newest of them that many are appended one by one, with the upkeep of `process` alone. What was appended a day
        before, that upkeep has merged, and deleted the old files of.
        """
        start = logical_time(self._first)
        times = [start + EVERY * number for number in range(1, snapshots + 1)]
        turns = [Turn(n, snapshot_id_at(at), at, at + CAPTURED_AFTER) for n, at in enumerate(times, 1)]
        kept_from = (times[-1] - timedelta(days=History().series_days)).date()
        at_once, newest = turns[:-one_by_one], turns[-one_by_one:]
        for _, of_month in groupby(at_once, lambda turn: turn.captured_at.month):
            self._append_all(list(of_month))
        for day, of_day in groupby(at_once, lambda turn: turn.captured_at.date()):
            if day >= kept_from:
                self._append_series(list(of_day))
        for name in self._series:
            self._opened(name).delete(f"day < '{kept_from}'")
        for name in [*self._open]:
            tidy(self._storage, self._cluster, name, small_files=1)
            del self._open[name]
        for turn in newest:
            self._append_series([turn])
            self._append_all([turn])
            for name in {*sorted(tables())[turn.number % TURNS :: TURNS]} & self._open.keys():
                tidy(self._storage, self._cluster, name)
                del self._open[name]
        return turns[-1].snapshot_id

    def _append_series(self, turns: Sequence[Turn]) -> None:
        for name in self._series:
            self._append(name, self._again(name, turns))

    def _append_all(self, turns: Sequence[Turn]) -> None:
        """Append what snapshots write beside series, of several at once."""
        found: dict[str, list[Row]] = {}
        changing = []
        for turn in turns:
            changes = list(self._changes(turn))
            changing += [turn] if changes else []
            for name, row in [*changes, ("snapshots", self._commit(turn))]:
                found.setdefault(name, []).append(row | {"cluster": self._cluster, "generation": 0})
        self._append("coverage_gaps", self._again("coverage_gaps", turns))
        if changing:
            results = self._of_first["expectation_results"]
            changed = pa.array(self._living)
            of_changed = results.filter(pa.compute.is_in(results["table_name"], changed))
            self._append("expectation_results", self._again("expectation_results", changing, of_changed))
        for name, rows in found.items():
            self._append(name, pa.Table.from_pylist(rows, arrow_schema(tables()[name].stored_columns)))

    def _again(self, name: str, turns: Sequence[Turn], rows: pa.Table | None = None) -> pa.Table:
        """What the first snapshot wrote of a table, as each of these writes it again."""
        rows = self._of_first[name] if rows is None else rows
        again = rows.take(np.tile(np.arange(rows.num_rows), len(turns)))
        values = {key: [turn.stamp[key] for turn in turns] for key in turns[0].stamp}
        values["captured_at"] = [turn.captured_at for turn in turns]
        values["day"] = [turn.captured_at.date() for turn in turns]
        of_turn = np.repeat(np.arange(len(turns)), rows.num_rows)
        for number, field in enumerate(again.schema):
            if field.name in values:
                again = again.set_column(
                    number, field, pa.array(values[field.name], field.type).take(of_turn)
                )
        return again

    def _commit(self, turn: Turn) -> Row:
        first = self._commit_of_first
        moment = {"captured_at": turn.captured_at}
        sources = [each | moment | {"started_at": turn.captured_at} for each in first["sources"]]
        moment |= {"committed_at": turn.captured_at, "logical_at": turn.logical_at}
        return first | moment | turn.stamp | {"sources": sources}

    def _changes(self, turn: Turn) -> Iterator[tuple[str, Row]]:
        """Rows of the changed states, and of the event."""
        was, now = (out_of_isr(number, len(self._keys)) for number in (turn.number - 1, turn.number))
        number = was if now is None else now
        if was == now or number is None:
            return
        key, before = self._keys[number], self._living["partitions"][self._keys[number]]
        for name in ("admin_partitions", "partitions"):
            row = self._living[name][key]
            row = row | {"isr": row["replicas"]} if now is None else without_last(row)
            yield from self._changed(name, [row], turn)
        after = self._living["partitions"][key]
        yield from self._changed("findings", [self._finding(after, turn)], turn)
        absences = self._living["whatif"]
        told = [absences[_key("whatif", row)] | row for row in self._whatif(now).to_pylist()]
        yield from self._changed("whatif", [row for row in told if row not in absences.values()], turn)
        yield "events", self._event(before, after, turn) | turn.stamp

    def _changed(self, name: str, rows: Sequence[Row], turn: Turn) -> Iterator[tuple[str, Row]]:
        """Changed rows of a state; where its era is old, the keyframe of the next."""
        living = self._living[name]
        for row in rows:
            key = _key(name, row)
            op = "update" if key in living else "create"
            living[key] = row | {"changed_at": turn.captured_at, "snapshot_id": turn.snapshot_id}
            yield name, living[key] | turn.stamp | {"op": op, "era": self._eras[name]}
        age = turn.logical_at - logical_time(self._eras[name])
        if rows and age >= timedelta(days=self._limits.days):
            self._eras[name] = turn.snapshot_id
            for each in living.values():
                opened = {"op": "keyframe", "era": turn.snapshot_id, "written_by": turn.snapshot_id}
                yield name, each | opened

    def _whatif(self, out: int | None) -> pa.Table:
        """What each broker's absence would do while the last replica of the partition of that number is out of the ISR."""
        if out not in self._absences:
            living = self._living["partitions"]
            rows = {key: row | {"isr": row["replicas"]} for key, row in living.items()}
            if out is not None:
                rows[self._keys[out]] = without_last(rows[self._keys[out]])
            partitions = pa.Table.from_pylist(list(rows.values()), self._asked["partitions"].schema)
            frames = self._asked | {"partitions": partitions}
            with open_sandbox() as connection:
                self._absences[out] = answer(connection, per_broker(), lambda name: _current(frames[name]))
        return self._absences[out]

    def _finding(self, partition: Row, turn: Turn) -> Row:
        """The finding of a partition, which is open or resolved; long before it would go the partition has its next turn."""
        missing = [each for each in partition["replicas"] if each not in partition["isr"]]
        key = {"check_id": "under-replicated-partition", "subject": _subject(partition)}
        if not missing:
            return self._living["findings"][_key("findings", key)] | {"status": "resolved"}
        evidence = {name: partition[name] for name in ("leader", "isr", "replicas")} | {"missing": missing}
        return key | {
            "severity": CHECK.severity,
            "status": "open",
            "first_seen_at": turn.captured_at,
            "not_seen_since": None,
            "evidence": json.dumps(evidence, separators=(",", ":")),
            "remedy": CHECK.remedy,
        }

    def _event(self, before: Row, after: Row, turn: Turn) -> Row:
        last = turn.logical_at - EVERY
        has_shrunk = len(after["isr"]) < len(before["isr"])
        return {
            "event": "isr-shrank" if has_shrunk else "isr-grew",
            "reason": "unknown" if has_shrunk else None,
            "subject": _subject(after),
            "from_value": ",".join(map(str, before["isr"])),
            "to_value": ",".join(map(str, after["isr"])),
            "partitions_touched": 1,
            "since_snapshot_id": snapshot_id_at(last),
            "since_at": last + CAPTURED_AFTER,
            "captured_at": turn.captured_at,
        }

    def _append(self, name: str, rows: pa.Table) -> None:
        if name not in self._open:
            self._open[name] = self._opened(name)
        partitions = list(tables()[name].partition_columns)
        write_deltalake(self._open[name], rows, mode="append", partition_by=partitions)

    def _opened(self, name: str) -> DeltaTable:
        if found := delta_table(self._storage, self._cluster, name):
            return found
        table = tables()[name]
        schema = Schema.from_arrow(arrow_schema(table.stored_columns))
        partitions, properties = list(table.partition_columns), table_properties(table)
        location = self._storage.location(table_path(self._cluster, name))
        return DeltaTable.create(location, schema, partition_by=partitions, configuration=properties)


def _current(rows: pa.Table) -> pa.Table:
    return rows.append_column("is_current", pa.repeat(True, rows.num_rows))


def _key(name: str, row: Row) -> tuple[Any, ...]:
    return tuple(row[column] for column in tables()[name].key)


def _subject(partition: Row) -> str:
    return f"{partition['topic']}-{partition['partition']}"
