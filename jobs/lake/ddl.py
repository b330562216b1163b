"""The DDL of a table, from its columns in `schemas/`, and what its types are called elsewhere."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from schemas.table import BOOKKEEPING, Column, Table

Name = TypeVar("Name")
_ARRAY = re.compile(r"^ARRAY<(.*)>$")
_STRUCT = re.compile(r"^STRUCT<(.*)>$")

# Each of these keeps the files readable for engines that know little of Delta, or the log small.
_PROPERTIES = {
    "delta.enableDeletionVectors": "false",
    "delta.checkpointPolicy": "classic",
    # The upkeep writes checkpoints, in a hundredth of Spark's time.
    "delta.checkpointInterval": "1000",
    "delta.logRetentionDuration": "interval 1 days",
    "delta.deletedFileRetentionDuration": "interval 1 days",
}

_WRITTEN_WHEN = ("changed_at", "captured_at", "snapshot_id", "written_by")


def translated(
    spark_type: str,
    simple: Callable[[str], Name],
    array: Callable[[Name], Name],
    struct: Callable[[list[tuple[str, Name]]], Name],
) -> Name:
    """A Spark type of `schemas/` as another engine calls it, who names simple types, arrays and structs.

    The members of a struct are simple types.
    """
    if element := _ARRAY.match(spark_type):
        return array(translated(element[1], simple, array, struct))
    if members := _STRUCT.match(spark_type):
        pairs = [member.split(":") for member in members[1].split(",")]
        return struct([(name.strip(), simple(of.strip())) for name, of in pairs])
    return simple(spark_type)


def with_members(columns: Iterable[Column]) -> set[str]:
    """The names of columns, and of the members of structs in them: `sources`, `sources.zxid`."""
    found = set()
    for column in columns:
        members: set[str] = translated(
            column.type,
            simple=lambda _: set(),
            array=lambda element: element,
            struct=lambda named: {name for name, _ in named},
        )
        found |= {column.name, *(f"{column.name}.{member}" for member in members)}
    return found


def columns_ddl(columns: Iterable[Column]) -> str:
    """`name TYPE NOT NULL COMMENT '…'` of each column."""
    return ", ".join(_column_ddl(column) for column in columns)


def _column_ddl(column: Column) -> str:
    required = " NOT NULL" if column.required else ""
    meaning = column.meaning.replace("\\", "\\\\").replace("'", "\\'")
    return f"`{column.name}` {column.type}{required} COMMENT '{meaning}'"


def create_table_ddl(table: Table, path: str) -> str:
    """The statement that creates the Delta table at `path` unless it is there."""
    partitions = ", ".join(table.partition_columns)
    return (
        f"CREATE TABLE IF NOT EXISTS delta.`{path}` ({columns_ddl(table.stored_columns)}) USING DELTA "
        f"PARTITIONED BY ({partitions}) TBLPROPERTIES ({_sql(table_properties(table))})"
    )


def alter_table_ddl(table: Table, path: str, stored: Mapping[str, str]) -> list[str]:
    """The statements that give a table of an older release the properties of this one; none where it has them."""
    missing = {key: value for key, value in table_properties(table).items() if stored.get(key) != value}
    if not missing:
        return []
    # Every row has its own instant, and deltalake, which does the upkeep, cannot write where Delta keeps one.
    drop = f"ALTER TABLE delta.`{path}` DROP FEATURE inCommitTimestamp"
    set_properties = f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ({_sql(missing)})"
    return [drop] * (stored.get("delta.enableInCommitTimestamps") == "true") + [set_properties]


def table_properties(table: Table) -> dict[str, str]:
    """The properties of a Delta table."""
    return _PROPERTIES | {"delta.dataSkippingStatsColumns": ",".join(_statistics_columns(table))}


def _sql(properties: Mapping[str, str]) -> str:
    return ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())


def _statistics_columns(table: Table) -> list[str]:
    """The columns by which a reader can pass over files; those of every column cost a third of a small append."""
    return [*table.key, *(column.name for column in BOOKKEEPING[table.kind] if column.name in _WRITTEN_WHEN)]
