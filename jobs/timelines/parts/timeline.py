"""What a timeline is: a view that tells from when to when something was so.

A module of `jobs/timelines` holds one as `TIMELINE`; the module's name is the view's. It is there wherever the lake is
asked in SQL, as of the same snapshot as every other view.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jobs import timelines
from jobs.discovery import values
from schemas.table import Column


@dataclass(frozen=True)
class Timeline:
    """A view over others.

    `inputs` are the views that `sql` reads, such as `partitions_history`. `columns` are what it shows beside `cluster`,
    in its order. A filter on a column is quick when every window and group of `sql` has that column in its key.
    """

    meaning: str
    columns: tuple[Column, ...]
    inputs: tuple[str, ...]
    sql: str


@cache
def all_timelines() -> dict[str, Timeline]:
    """Every timeline by the name of its view. Raises ValueError when a module holds none."""
    return values(timelines, "TIMELINE", Timeline)


def spells(intervals: str, key: Sequence[str], since: str, until: str) -> str:
    """SQL: intervals of one key that follow each other without a gap, as one. The key begins with `cluster`.

    `intervals` is a SELECT of the key, `valid_from` and `valid_to`; `since` and `until` name the columns of the answer.
    """
    of = ", ".join(key)
    return f"""
SELECT {of}, min(valid_from) AS {since}, CASE WHEN bool_and(valid_to IS NOT NULL) THEN max(valid_to) END AS {until}
FROM (
  SELECT *, sum(opens) OVER (PARTITION BY {of} ORDER BY valid_from) AS spell
  FROM (
    SELECT *, (lag(valid_to) OVER (PARTITION BY {of} ORDER BY valid_from) IS DISTINCT FROM valid_from)::INTEGER AS opens
    FROM ({intervals})
  )
)
GROUP BY {of}, spell
"""
