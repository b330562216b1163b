"""All that a lake says, to compare two of them: what is now, what was and what happened."""

from typing import Any

from jobs.lake.read import open_reader
from jobs.settings import Settings
from jobs.storage import open_storage
from schemas.registry import tables
from schemas.table import Kind


def everything(settings: Settings, cluster: str = "orders") -> dict[str, list[dict[str, Any]]]:
    """The rows of every view and table of a cluster; but not when they were committed.

    One query asks for all of them, because tests ask this again and again.
    """
    views = [
        view
        for name, table in tables().items()
        for view in ((name, f"{name}_history") if table.kind is Kind.STATE else (name,))
    ]
    said = "COLUMNS(lambda each: each <> 'committed_at')"
    lists = (f"(SELECT list(row ORDER BY row) FROM (SELECT {said} FROM {view}) AS row)" for view in views)
    (rows,) = open_reader(open_storage(settings.lake), [cluster]).query(f"SELECT {', '.join(lists)}").rows
    return {view: found or [] for view, found in zip(views, rows, strict=True)}
