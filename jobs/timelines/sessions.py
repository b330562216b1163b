"""When each broker was up, and how that began and ended."""

from jobs.timelines.parts.timeline import Timeline
from schemas.table import Column

_ON = "NOT coalesce(fenced, false)"
_BOUNCES = f"""
SELECT b.* REPLACE (e.captured_at AS valid_from), true AS is_bounce
FROM brokers_history AS b JOIN events AS e ON e.cluster = b.cluster AND e.subject = 'broker ' || b.broker_id
  AND e.captured_at > b.valid_from AND (b.valid_to IS NULL OR e.captured_at < b.valid_to)
WHERE e.event = 'broker-bounced' AND b.epoch IS NULL AND {_ON}
"""
_SQL = f"""
SELECT cluster, broker_id, min(valid_from) AS up_since, CASE WHEN bool_and(until IS NOT NULL) THEN max(until) END AS up_until,
  CASE WHEN arg_min(is_bounce, valid_from) THEN 'bounced' WHEN NOT bool_or(is_first) THEN arg_min(away, valid_from) END AS began,
  CASE WHEN bool_and(until IS NOT NULL)
    THEN CASE WHEN arg_max(next_is_bounce, valid_from) THEN 'bounced' ELSE arg_max(leaves, valid_from) END END AS ended
FROM (
  SELECT *, sum(opens) OVER of_broker AS spell, lead(is_bounce) OVER of_broker AND lead(valid_from) OVER of_broker = until AS next_is_bounce
  FROM (
    SELECT * REPLACE (is_bounce OR coalesce(is_next AND lag(epoch) OVER of_broker <> epoch, false) AS is_bounce),
      (is_bounce OR NOT is_next OR coalesce(lag(epoch) OVER of_broker <> epoch, false))::INTEGER AS opens
    FROM (
      SELECT *, least(valid_to, lead(valid_from) OVER of_broker) AS until,
        coalesce(lag(valid_to) OVER of_broker >= valid_from, false) AS is_next,
        valid_from = min(valid_from) OVER (PARTITION BY cluster) AS is_first,
        CASE WHEN session IS NULL AND lag(broker_id) OVER of_broker IS NOT NULL THEN 'unfenced' ELSE 'joined' END AS away,
        CASE WHEN session IS NULL THEN 'fenced' ELSE 'left' END AS leaves
      FROM (SELECT *, false AS is_bounce FROM brokers_history WHERE {_ON} UNION ALL BY NAME {_BOUNCES})
      WINDOW of_broker AS (PARTITION BY cluster, broker_id ORDER BY valid_from)
    )
    WINDOW of_broker AS (PARTITION BY cluster, broker_id ORDER BY valid_from)
  )
  WINDOW of_broker AS (PARTITION BY cluster, broker_id ORDER BY valid_from)
)
GROUP BY cluster, broker_id, spell
"""

TIMELINE = Timeline(
    meaning="when a broker was registered and not fenced, and how that began and ended; where a snapshot saw only that it "
    "had bounced, one session ends and the next begins when that snapshot was captured",
    columns=(
        Column("broker_id", "INT", "broker id"),
        Column(
            "up_since",
            "TIMESTAMP",
            "when the snapshot was captured that first saw it so, or the lake's first",
        ),
        Column(
            "up_until", "TIMESTAMP", "when the snapshot was captured that saw it end; null while it is up"
        ),
        Column(
            "began", "STRING", "joined, unfenced or bounced; null where the lake's first snapshot saw it up"
        ),
        Column(
            "ended",
            "STRING",
            "left, bounced, or fenced, which over the Admin API is also said of one that is named no more; null while it is up",
        ),
    ),
    inputs=("brokers_history", "events"),
    sql=_SQL,
)
