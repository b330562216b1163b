"""The pages that derive from the code: `python -m jobs.docs` writes them, a test holds them fresh."""

from pathlib import Path

from jobs.checks.parts.check import all_checks
from schemas.registry import tables
from schemas.table import BOOKKEEPING, Kind, Table

ROOT = Path(__file__).resolve().parent.parent
_HEADER = "<!-- Written by `make docs` from the code. -->\n"


def pages() -> dict[str, str]:
    """Every generated page by its path below the project's root."""
    return {"docs/tables.md": tables_page(), "docs/checks.md": checks_page()}


def tables_page() -> str:
    """What is in the lake."""
    parts = [
        f"{_HEADER}# Tables",
        "A `state` table keeps what is, as changes: `X` is now, `X_history` the intervals, `X_at(T)` the past. "
        "A `series` keeps what moves at every look, a `log` what happened. Every table has `cluster`.",
        *[_bookkeeping(kind) for kind in Kind],
        *[_table(table) for table in sorted(tables().values(), key=lambda table: table.name)],
    ]
    return "\n\n".join(parts) + "\n"


def checks_page() -> str:
    """What is wrong, and what to do."""
    parts = [f"{_HEADER}# Checks"]
    for check in all_checks():
        parts.append(f"## {check.check_id}\n\n*{check.severity}* · {check.remedy}\n\n{check.runbook.strip()}")
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    key = ", ".join(f"`{name}`" for name in table.key) or "one row"
    rows = "\n".join(
        f"| `{column.name}` | {column.type.replace('|', '¦')} | {column.meaning}{_legal(column.one_of)} |"
        for column in table.columns
    )
    return (
        f"## {table.name}\n\n{table.meaning[0].upper()}{table.meaning[1:]}. *{table.kind}*, {_origin(table)}; key: {key}.\n\n"
        f"| column | type | meaning |\n|---|---|---|\n{rows}"
    )


def _origin(table: Table) -> str:
    if table.source:
        return f"from source `{table.source}`"
    made = [
        f"{', '.join(f'`{name}`' for name in names)} ({source})" for source, names in table.inputs.items()
    ]
    return f"from {' or '.join(made)}" if made else "by Varve itself"


def _legal(values: tuple[str | int, ...]) -> str:
    return f" ({' · '.join(str(value) or 'empty' for value in values)})" if values else ""


def _bookkeeping(kind: Kind) -> str:
    columns = "\n".join(f"| `{column.name}` | {column.meaning} |" for column in BOOKKEEPING[kind])
    return f"Every `{kind}` table also has\n\n| column | meaning |\n|---|---|\n{columns}"


if __name__ == "__main__":
    for path, text in pages().items():
        (ROOT / path).write_text(text, encoding="utf-8")
