"""All that a lake says, to compare two of them: what is now, what was and what happened."""

from typing import Any

from jobs.lake.read import open_reader
from jobs.settings import Settings
from jobs.storage import open_storage
from schemas.registry import tables
from schemas.table import Kind


def everything(settings: Settings, cluster: str = "orders") -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every view and table of a cluster; but not when they were committed."""
    reader = open_reader(open_storage(settings.lake), [cluster])
    views = [
        view
        for name, table in tables().items()
        for view in ((name, f"{name}_history") if table.kind is Kind.STATE else (name,))
    ]
    said = "COLUMNS(lambda each: each <> 'committed_at')"
    return {view: reader.query(f"SELECT {said} FROM {view} ORDER BY ALL").rows for view in views}
