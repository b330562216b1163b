"""The names that a query over the lake may use."""

from jobs.lake.catalog import view_names
from jobs.lake.views import SHOWN
from jobs.timelines.parts.timeline import all_timelines
from schemas.registry import tables
from schemas.table import CLUSTER


def names() -> list[str]:
    """The names of all views and of their columns."""
    columns = {column for table in tables().values() for column in table.column_names}
    columns |= {column.name for timeline in all_timelines().values() for column in timeline.columns}
    shown = {column for of_kind in SHOWN.values() for of_view in of_kind.values() for column in of_view}
    return sorted({*view_names(), *columns, *shown, CLUSTER.name})
