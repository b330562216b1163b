"""The Parquet files a Delta table consists of now."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from jobs.errors import VarveError

_PARTITION = re.compile(r"/(\w+)=([^/]+)(?=/)")


@dataclass(frozen=True)
class StoredFile:
    """One Parquet file and the partition it lies in; only state tables have eras."""

    path: str
    generation: int
    era: str


def stored_files(table: Path) -> list[StoredFile]:
    """The files of the Delta table in that folder, none when it was never written.

    Raises VarveError when the table needs a Delta feature under which its files alone are not its rows.
    """
    from deltalake import DeltaTable
    from deltalake.exceptions import TableNotFoundError

    try:
        delta = DeltaTable(table)
    except TableNotFoundError:
        return []
    if delta.protocol().min_reader_version > 1:
        raise VarveError(
            f"{table} was given a Delta feature that light readers cannot follow (deletion vectors or column "
            "mapping), and its files alone would show wrong rows: read it with Spark, or restore the table"
        )
    return [_stored_file(unquote(uri), table) for uri in delta.file_uris()]


def of_generation(files: list[StoredFile], current: int) -> list[StoredFile]:
    """The files of the newest generation of this table that is not newer than the current one."""
    newest = max((file.generation for file in files if file.generation <= current), default=None)
    return [file for file in files if file.generation == newest]


def _stored_file(path: str, table: Path) -> StoredFile:
    partition = dict(_PARTITION.findall(path[len(str(table)) :]))
    return StoredFile(path, int(partition["generation"]), partition.get("era", ""))
