"""How many partitions each broker led, in steps."""

from jobs.timelines.parts.timeline import Timeline
from schemas.table import Column

_SQL = """
SELECT cluster, leader AS broker_id, (sum(step) OVER so_far)::BIGINT AS leads, instant AS valid_from,
  lead(instant) OVER (PARTITION BY cluster, leader ORDER BY instant) AS valid_to
FROM (
  SELECT cluster, leader, instant, sum(step) AS step
  FROM (
    SELECT cluster, leader, valid_from AS instant, 1 AS step FROM partitions_history WHERE leader >= 0
    UNION ALL
    SELECT cluster, leader, valid_to, -1 FROM partitions_history WHERE leader >= 0 AND valid_to IS NOT NULL
  )
  GROUP BY cluster, leader, instant HAVING sum(step) <> 0
)
WINDOW so_far AS (PARTITION BY cluster, leader ORDER BY instant)
"""

TIMELINE = Timeline(
    meaning="how many partitions each broker led, a row from one change of the number to the next; before the first row "
    "of a broker it led none",
    columns=(
        Column("broker_id", "INT", "the leader"),
        Column("leads", "BIGINT", "partitions it led; 0 is a row, too"),
        Column("valid_from", "TIMESTAMP", "when the snapshot that saw this number first was captured"),
        Column("valid_to", "TIMESTAMP", "when the number was seen to change; null while it stands"),
    ),
    inputs=("partitions_history",),
    sql=_SQL,
)
