"""The views of a table as DuckDB's SQL: `X` (now), `X_history` (intervals) and `X_at(instant)`.

Every view is written for one cluster; `union` puts those of several together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import duckdb

from jobs.lake.duckdb_sql import duckdb_type, name, names, text, union
from jobs.lake.files import StoredFile, fetched
from schemas.table import Column, Kind, Table

SHOWN: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    Kind.STATE: {
        "X": ("changed_at", "snapshot_id", "is_current"),
        "X_history": ("valid_from", "valid_to", "snapshot_id"),
        "X_at(T)": ("changed_at", "snapshot_id"),
    },
    Kind.SERIES: {"X": ("captured_at", "snapshot_id")},
    Kind.LOG: {"X": ("snapshot_id",)},
}
"""What each view shows beside `cluster` and the table's own columns."""

COMPUTED = (
    Column(
        "is_current",
        "BOOLEAN",
        "whether the newest snapshot saw the row, which a coverage gap may hide; not in tables that no gap can hide",
    ),
    Column("valid_from", "TIMESTAMP", "when the snapshot that saw the row become so was captured"),
    Column("valid_to", "TIMESTAMP", "when its next change was captured; null while it stands"),
)
"""What views show that no table stores."""


ATTEMPT = "coalesce(written_by, snapshot_id)"
"""SQL: the attempt that wrote a row; a lake that is older than attempts has one for each snapshot."""


def create_bookkeeping(connection: duckdb.DuckDBPyConnection, committed: Iterable[str]) -> None:
    """Create the table `varve.committed`, which the views read; see `Sight.committed`."""
    connection.execute("CREATE SCHEMA varve")
    connection.execute(f"CREATE TABLE varve.committed AS {union(committed)}")


def rows(table: Table, files: Sequence[StoredFile]) -> str:
    """What lies in a table's files, in exactly the columns of its schema; null where a file has no such column."""
    columns = names(column.name for column in table.stored_columns)
    nothing = ", ".join(f"NULL::{duckdb_type(c.type)} AS {name(c.name)}" for c in table.stored_columns)
    if not files:
        return f"SELECT {nothing} WHERE false"
    parts = [f"SELECT {nothing} WHERE false", *_of_partitions(table, files)]
    return f"SELECT {columns} FROM ({' UNION ALL BY NAME '.join(parts)})"


def _of_partitions(table: Table, files: Sequence[StoredFile]) -> Iterator[str]:
    """What lies in the files of each partition, whose values are known from the log: no path is taken for one."""
    by_partition: dict[tuple[int, str], list[str]] = {}
    for file in fetched(files):
        by_partition.setdefault((file.generation, file.era), []).append(text(file.here))
    for (generation, era), paths in by_partition.items():
        values = f"{generation} AS generation"
        if table.kind is Kind.STATE:
            values += f", {text(era)} AS era"
        if table.kind is Kind.SERIES:
            values += ", CAST(captured_at AT TIME ZONE 'UTC' AS DATE) AS day"
        own = f"COLUMNS(lambda each: each NOT IN ({', '.join(map(text, table.partition_columns))}))"
        parquet = f"read_parquet([{', '.join(paths)}], union_by_name = true, hive_partitioning = false)"
        yield f"SELECT {own}, {values} FROM {parquet}"


def now(table: Table, files: Sequence[StoredFile], cluster: str, is_current: str) -> str:
    """The view `X`: a state as it stands, or every visible row of a series or log.

    `is_current` tells whether the newest snapshot saw a row of `state`.
    """
    if table.kind is not Kind.STATE:
        return f"{_select(table, 'X')} FROM ({rows(table, files)}) WHERE {is_committed(cluster)}"
    living = _living(table, rows(table, newest_era(files)), is_committed(cluster))
    return f"{_select(table, 'X', is_current=is_current)} FROM ({living}) AS state"


def history(table: Table, files: Sequence[StoredFile], cluster: str) -> str:
    """The view `X_history`: every value a key ever had, and from when to when."""
    columns = _select(table, "X_history", valid_from="changed_at")
    return f"{columns} FROM ({_changes(table, files, cluster)}) WHERE op <> 'delete'"


def at_instant(table: Table, files: Sequence[StoredFile], cluster: str) -> str:
    """The macro `X_at(instant)`: a state at the newest snapshot captured at or before the instant.

    It reads one era: the newest that was open by then.
    """
    asked = (
        f"(SELECT max(written_by) FROM varve.committed WHERE cluster = {text(cluster)} "
        "AND captured_at <= instant::TIMESTAMPTZ)"
    )
    eras = sorted({file.era for file in files})
    era = f"(SELECT max(era) FROM (SELECT unnest([{', '.join(map(text, eras))}]::VARCHAR[]) AS era) WHERE era <= {asked})"
    of_era = f"SELECT * FROM ({rows(table, files)}) WHERE era = {era}"
    living = _living(table, of_era, f"{is_committed(cluster)} AND written_by <= {asked}")
    return f"{_select(table, 'X_at(T)')} FROM ({living})"


def _living(table: Table, of_era: str, counts: str) -> str:
    """The rows that stand at the end of one era's rows, when only those changes count.

    Of a key that changed the newest change stands, of any other what opened the era, which counts wherever the era does.
    The newest change is found without the values: to sort or to aggregate whole rows costs more than to read them.
    """
    same_key = " AND ".join(
        f"stored.{each} IS NOT DISTINCT FROM newest.{each}" for each in map(name, table.key)
    )
    key = "".join(f"{name(each)}, " for each in table.key)
    return (
        f"WITH stored AS NOT MATERIALIZED ({of_era}), newest AS (SELECT {key}max(written_by) AS last_change "
        f"FROM stored WHERE op <> 'keyframe' AND {counts} GROUP BY ALL) "
        f"SELECT stored.* FROM stored LEFT JOIN newest ON {same_key or 'true'} "
        "WHERE coalesce(written_by = last_change, op = 'keyframe') AND op <> 'delete'"
    )


def _select(table: Table, view: str, **computed: str) -> str:
    """The columns that a view shows, the computed ones by their SQL."""
    shown = [each for each in SHOWN[table.kind][view] if each != "is_current" or table.scopes]
    columns = ("cluster", *table.column_names, *shown)
    return f"SELECT {', '.join(f'{computed.get(each, name(each))} AS {name(each)}' for each in columns)}"


def _changes(table: Table, files: Sequence[StoredFile], cluster: str) -> str:
    """Every change, and when the next one of its key came."""
    return (
        f"SELECT *, lead(changed_at) OVER ({_per_key(table)} ORDER BY written_by) AS valid_to "
        f"FROM ({rows(table, files)}) WHERE {is_change(files, cluster)}"
    )


def is_change(files: Sequence[StoredFile], cluster: str) -> str:
    """Whether a row in a state table's files is a change that counts, or of the keyframe that opens the oldest era."""
    oldest = min((file.era for file in files), default="")
    return f"{is_committed(cluster)} AND (op <> 'keyframe' OR era = {text(oldest)})"


def newest_era(files: Sequence[StoredFile]) -> list[StoredFile]:
    """Those of a state table's files that lie in its newest era."""
    newest = max((file.era for file in files), default=None)
    return [file for file in files if file.era == newest]


def is_committed(cluster: str) -> str:
    """Whether an attempt that a commit names wrote a row."""
    attempts = f"SELECT written_by FROM varve.committed WHERE cluster = {text(cluster)}"
    return f"{ATTEMPT} IN ({attempts})"


def _per_key(table: Table) -> str:
    return f"PARTITION BY {names(table.key)}" if table.key else ""
