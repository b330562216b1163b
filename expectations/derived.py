"""What a table's own schema says: required columns, value sets, the key."""

from expectations.rule import Rule, no_row_where, quoted, unique
from schemas.judgement import Severity
from schemas.table import Column, Kind, Table


def derived(table: Table) -> list[Rule]:
    """The rules that follow from the columns and the key of a table."""
    columns = table.columns
    never_null = [_never_null(column) for column in columns if column.required]
    one_of = [_one_of(column) for column in columns if column.one_of]
    return [*never_null, *one_of, _key(table)]


def _never_null(column: Column) -> Rule:
    return no_row_where(f"{quoted(column.name)} IS NULL", f"{column.name} is never null")


def _one_of(column: Column) -> Rule:
    values = ", ".join(_literal(value) for value in column.one_of)
    text = ", ".join(str(value) or "''" for value in column.one_of)
    return no_row_where(
        f"{quoted(column.name)} NOT IN ({values})", f"{column.name} is one of {text}", Severity.WARNING
    )


def _literal(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _key(table: Table) -> Rule:
    """A state table has each key once; a series or a log has it once in each snapshot."""
    key = table.key if table.kind is Kind.STATE else (*table.key, "snapshot_id")
    if not key:
        return Rule("there is at most one row", "greatest(count(1) - 1, 0)", counted="surplus row")
    name = key[0] if len(key) == 1 else f"({', '.join(key)})"
    return unique(key, f"{name} is unique")
