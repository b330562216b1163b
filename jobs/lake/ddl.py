"""The DDL of a table, from its columns in `schemas/`."""

from collections.abc import Iterable

from schemas.table import Column, Table

# Each of these keeps the files readable for engines that know little of Delta, or the log small.
_PROPERTIES = {
    "delta.enableInCommitTimestamps": "true",
    "delta.enableDeletionVectors": "false",
    "delta.checkpointPolicy": "classic",
    "delta.logRetentionDuration": "interval 30 days",
    "delta.setTransactionRetentionDuration": "interval 90 days",
}


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
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in _PROPERTIES.items())
    return (
        f"CREATE TABLE IF NOT EXISTS delta.`{path}` ({columns_ddl(table.stored_columns)}) USING DELTA "
        f"PARTITIONED BY ({partitions}) TBLPROPERTIES ({properties})"
    )
