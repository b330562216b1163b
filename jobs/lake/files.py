"""The Parquet files a Delta table consists of now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from jobs.errors import VarveError
from jobs.lake.layout import table_path
from jobs.storage import Storage

if TYPE_CHECKING:
    from deltalake import DeltaTable

_PARTITION = "partition."


@dataclass(frozen=True)
class StoredFile:
    """One Parquet file: its path in the storage, its size in bytes, its rows, and the partition it lies in; only state tables
    have eras.

    `writers` are the first and the last of the attempts that wrote its rows, where Delta's statistics tell.
    """

    path: str
    size: int
    rows: int
    partition: Mapping[str, Any]
    writers: tuple[str | None, str | None] = (None, None)
    storage: Storage | None = None

    @property
    def here(self) -> str:
        """Where it is on this machine, once it is `fetched`."""
        return self.storage.here(self.path) if self.storage else self.path

    @property
    def generation(self) -> int:
        return int(self.partition["generation"])

    @property
    def era(self) -> str:
        return str(self.partition.get("era", ""))

    def may_hold(self, written_by: str) -> bool:
        """Whether rows that the attempt wrote may lie in it."""
        first, last = self.writers
        return first is None or last is None or first <= written_by <= last


def stored_files(storage: Storage, cluster: str, table: str) -> list[StoredFile]:
    """The files of a cluster's Delta table, none when it was never written.

    Raises VarveError when the table needs a Delta feature under which its files alone are not its rows.
    """
    if not (delta := _opened(storage.log(table_path(cluster, table)), {})):
        return []
    folder = table_path(cluster, table)
    if delta.protocol().min_reader_version > 1:
        raise VarveError(
            f"{storage.location(folder)} was given a Delta feature that light readers cannot follow (deletion vectors or column "
            "mapping), and its files alone would show wrong rows: read it with Spark, or restore the table"
        )
    added = delta.get_add_actions(flatten=True)
    partition = [name for name in added.column_names if name.startswith(_PARTITION)]
    values = (added.column(name).to_pylist() for name in ("path", "size_bytes", "num_records", *partition))
    names = [name.removeprefix(_PARTITION) for name in partition]
    return [
        StoredFile(
            f"{folder}/{unquote(path)}",
            size,
            rows,
            dict(zip(names, of_partition, strict=True)),
            writers,
            storage,
        )
        for writers, (path, size, rows, *of_partition) in zip(
            _writers(added), zip(*values, strict=True), strict=True
        )
    ]


def fetched(files: Sequence[StoredFile]) -> Sequence[StoredFile]:
    """The same files of one table, which are on this machine from now on."""
    if files and files[0].storage:
        files[0].storage.fetch({file.path: file.size for file in files})
    return files


def _writers(added: Any) -> list[tuple[str | None, str | None]]:
    """The range of `written_by` of each file; of `snapshot_id` where a table is older than that column."""
    of = next((name for name in ("written_by", "snapshot_id") if f"min.{name}" in added.column_names), None)
    if not of:
        return [(None, None)] * added.num_rows
    return list(
        zip(added.column(f"min.{of}").to_pylist(), added.column(f"max.{of}").to_pylist(), strict=True)
    )


class Shape(NamedTuple):
    """How a Delta table is now: its columns, with the members of structs in them (`sources`, `sources.zxid`), and its properties."""

    columns: set[str]
    properties: dict[str, str]


def stored_shape(storage: Storage, cluster: str, table: str) -> Shape | None:
    """The shape of a cluster's Delta table, None when it was never written."""
    if not (delta := _opened(storage.log(table_path(cluster, table)), {})):
        return None
    found = set()
    for column in delta.schema().fields:
        struct = getattr(column.type, "element_type", column.type)
        found |= {column.name, *(f"{column.name}.{member.name}" for member in getattr(struct, "fields", ()))}
    return Shape(found, dict(delta.metadata().configuration))


def of_generation(files: list[StoredFile], current: int) -> list[StoredFile]:
    """The files of the newest generation of this table that is not newer than the current one."""
    newest = max((file.generation for file in files if file.generation <= current), default=None)
    return [file for file in files if file.generation == newest]


def delta_table(storage: Storage, cluster: str, table: str) -> "DeltaTable | None":
    """A cluster's Delta table at its newest version, to change it; None when it was never written.

    Raises SnapshotRefusedError when the cluster's lock was lost.
    """
    storage.check_locks()
    storage.changed(table_path(cluster, table))
    return _opened(storage.location(table_path(cluster, table)), storage.options)


@contextmanager
def changed_here(
    storage: Storage, cluster: str, table: str, files: Iterable[StoredFile] = ()
) -> Iterator["DeltaTable"]:
    """A cluster's Delta table, with some of its files, on this machine, to change it there; the lake gets what was written.

    In an object store that takes a tenth of the requests with which deltalake changes it where it is. Raises
    SnapshotRefusedError when the cluster's lock was lost, or another process wrote to the table meanwhile.
    """
    from deltalake import DeltaTable

    folder = table_path(cluster, table)
    try:
        shown = storage.log(folder)
        storage.show_files(folder, shown, {file.path: file.size for file in files})
        yield DeltaTable(shown)
        storage.check_locks()
        storage.add_shown(folder, shown)
    finally:
        storage.changed(folder)


def _opened(location: str, options: dict[str, str]) -> "DeltaTable | None":
    from deltalake import DeltaTable
    from deltalake.exceptions import TableNotFoundError

    try:
        return DeltaTable(location, storage_options=options)
    except TableNotFoundError:
        return None
