"""What of a table nobody can ask for any more: it goes as whole eras, days and generations.

The state at the oldest instant that is kept stays answerable, so the era that was open then stays; the newest era of a
table always does. The commits stay, too: they say which rows of the other tables count.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from jobs.lake.duckdb_sql import text
from jobs.lake.files import StoredFile, delta_table, of_generation, stored_files
from jobs.lake.sight import Sight
from jobs.storage import Storage
from schemas.snapshots import SNAPSHOTS
from schemas.table import Kind, Table


@dataclass(frozen=True)
class Outdated:
    """A part of a table that goes: what it is, the rows by deltalake's SQL, and the files that hold nothing else."""

    table: str
    part: str
    predicate: str
    files: int
    size: int


class Retention:
    """How long the past of a cluster is kept: states and logs from `oldest` on (None: for ever), series from a day on."""

    def __init__(
        self, storage: Storage, cluster: str, now: datetime, keep_days: int | None, series_days: int
    ) -> None:
        self._storage = storage
        self._cluster = cluster
        self._sight = Sight(storage, cluster)
        self._first_day = (now - timedelta(days=series_days)).date()
        self._oldest = keep_days and Sight(storage, cluster, now - timedelta(days=keep_days)).last

    def outdated(self, table: Table) -> list[Outdated]:
        """The parts of a table that nobody can ask for."""
        if not self._sight.last or table == SNAPSHOTS:
            return []
        files = stored_files(self._storage, self._cluster, table.name)
        current = of_generation(files, self._sight.last.generation)
        generations = {file.generation for file in current}
        parts = list(_parts(table, files, "generation", lambda file: file.generation, generations))
        of_kind = {Kind.STATE: self._eras, Kind.SERIES: self._days, Kind.LOG: self._rows}
        return parts + list(of_kind[table.kind](table, current))

    def drop(self, part: Outdated) -> None:
        """Take a part out of its table; its files stay for readers that have it open, see `jobs.upkeep.tidy`."""
        if delta := delta_table(self._storage, self._cluster, part.table):
            delta.delete(part.predicate)

    def _eras(self, table: Table, files: Sequence[StoredFile]) -> Iterator[Outdated]:
        """Eras that ended before the oldest kept instant, and those that an attempt opened which never counted."""
        newest = self._sight.newest.written_by
        counting = sorted({file.era for file in self._sight.files(table)})
        oldest = self._oldest.written_by if self._oldest else ""
        open_then = max((era for era in counting if era <= oldest), default=oldest)
        never_counted = {file.era for file in files if file.era < newest} - set(counting)
        kept = {file.era for file in files if file.era >= open_then} - never_counted
        yield from _parts(table, files, "era", lambda file: file.era, kept)

    def _days(self, table: Table, files: Sequence[StoredFile]) -> Iterator[Outdated]:
        kept = {file.partition["day"] for file in files if file.partition["day"] >= self._first_day}
        yield from _parts(table, files, "day", lambda file: file.partition["day"], kept)

    def _rows(self, table: Table, files: Sequence[StoredFile]) -> Iterator[Outdated]:
        if not self._oldest:
            return
        oldest = self._oldest.snapshot_id
        whole = [file for file in files if file.writers[1] and file.writers[1] < oldest]
        if whole:
            predicate = f"snapshot_id < {text(oldest)}"
            yield Outdated(table.name, f"before {oldest}", predicate, len(whole), sum(map(_size, whole)))


def _parts(
    table: Table,
    files: Sequence[StoredFile],
    column: str,
    value_of: Callable[[StoredFile], object],
    kept: set[object] | set[int] | set[str],
) -> Iterator[Outdated]:
    """The partitions whose value of a column is not kept."""
    for value in sorted({value_of(file) for file in files} - kept, key=str):
        held = [file for file in files if value_of(file) == value]
        literal = str(value) if isinstance(value, int) else text(str(value))
        yield Outdated(
            table.name, f"{column} {value}", f"{column} = {literal}", len(held), sum(map(_size, held))
        )


def _size(file: StoredFile) -> int:
    return file.size
