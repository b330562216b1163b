"""The Parquet files a Delta table consists of now."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from jobs.errors import VarveError
from jobs.lake.layout import table_path
from jobs.storage import Storage

_PARTITION = re.compile(r"/(\w+)=([^/]+)(?=/)")


@dataclass(frozen=True)
class StoredFile:
    """One Parquet file and the partition it lies in; only state tables have eras."""

    path: str
    generation: int
    era: str


def stored_files(storage: Storage, cluster: str, table: str) -> list[StoredFile]:
    """The files of a cluster's Delta table, none when it was never written.

    Raises VarveError when the table needs a Delta feature under which its files alone are not its rows.
    """
    from deltalake import DeltaTable
    from deltalake.exceptions import TableNotFoundError

    location = storage.location(table_path(cluster, table))
    try:
        delta = DeltaTable(location)
    except TableNotFoundError:
        return []
    if delta.protocol().min_reader_version > 1:
        raise VarveError(
            f"{location} was given a Delta feature that light readers cannot follow (deletion vectors or column "
            "mapping), and its files alone would show wrong rows: read it with Spark, or restore the table"
        )
    return [_stored_file(unquote(uri), location) for uri in delta.file_uris()]


def of_generation(files: list[StoredFile], current: int) -> list[StoredFile]:
    """The files of the newest generation of this table that is not newer than the current one."""
    newest = max((file.generation for file in files if file.generation <= current), default=None)
    return [file for file in files if file.generation == newest]


def _stored_file(path: str, table: str) -> StoredFile:
    partition = dict(_PARTITION.findall(path[len(table) :]))
    return StoredFile(path, int(partition["generation"]), partition.get("era", ""))
