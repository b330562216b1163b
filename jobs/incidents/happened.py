"""What happened around an instant: the events of the snapshot that saw it first and of the one before."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from jobs.lake.duckdb_sql import text
from jobs.lake.read import LakeReader

Moment = tuple[str, datetime]
"""A cluster, and an instant."""


class Happened(NamedTuple):
    """Events of one kind: how many, and the first of them."""

    event: str
    times: int
    subject: str
    from_value: str | None
    to_value: str | None
    reason: str | None


_AROUND = """
WITH asked AS (SELECT * FROM (VALUES {asked}) AS v (cluster, instant)),
spans AS (
  SELECT asked.cluster, instant, coalesce(min(captured_at), instant) AS begins
  FROM asked LEFT JOIN (
    SELECT cluster, captured_at, lead(captured_at) OVER (PARTITION BY cluster ORDER BY captured_at) AS next_at FROM snapshots
  ) AS s ON s.cluster = asked.cluster AND s.captured_at < instant AND coalesce(s.next_at >= instant, true)
  GROUP BY asked.cluster, instant
)
SELECT s.cluster, s.instant, event, count(*) AS times, min_by(subject, (captured_at, -coalesce(partitions_touched, 0), subject)) AS subject,
  min_by(from_value, (captured_at, -coalesce(partitions_touched, 0), subject)) AS from_value,
  min_by(to_value, (captured_at, -coalesce(partitions_touched, 0), subject)) AS to_value,
  min_by(reason, (captured_at, -coalesce(partitions_touched, 0), subject)) AS reason
FROM spans AS s JOIN events AS e ON e.cluster = s.cluster AND e.captured_at BETWEEN s.begins AND s.instant
GROUP BY s.cluster, s.instant, event
ORDER BY max(coalesce(partitions_touched, 0)) DESC, times, event
"""


def around(reader: LakeReader, moments: Iterable[Moment]) -> dict[Moment, tuple[Happened, ...]]:
    """What happened around each, by kind: what touched most partitions first, then the rarest."""
    asked = sorted(set(moments))
    if not asked:
        return {}
    values = ", ".join(f"({text(cluster)}, TIMESTAMPTZ '{at.isoformat()}')" for cluster, at in asked)
    found = defaultdict[Moment, list[Happened]](list)
    for cluster, at, *event in reader.query(_AROUND.format(asked=values)).rows:
        found[cluster, at].append(Happened(*event))
    return {moment: tuple(events) for moment, events in found.items()}
