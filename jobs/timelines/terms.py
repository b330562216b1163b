"""Which node was the controller, from when to when."""

from jobs.timelines.parts.timeline import Timeline
from schemas.table import Column

_SQL = """
SELECT cluster, controller_id, max(epoch) AS epoch, coalesce(elected_at, min(valid_from)) AS ruled_since,
  CASE WHEN bool_and(valid_to IS NOT NULL) THEN max(valid_to) END AS ruled_until,
  CASE WHEN elected_at IS NOT NULL AND lag(elected_at) OVER before_it IS NOT NULL
    THEN greatest(max(epoch) - lag(max(epoch)) OVER before_it - 1, 0) END::BIGINT AS elections_missed
FROM (
  SELECT *, sum(opens) OVER (PARTITION BY cluster ORDER BY valid_from) AS term
  FROM (
    SELECT *, coalesce(elected_at::VARCHAR, epoch::VARCHAR) AS election,
      ((lag(controller_id) OVER so_far, lag(coalesce(elected_at::VARCHAR, epoch::VARCHAR)) OVER so_far,
        lag(valid_to) OVER so_far) IS DISTINCT FROM (controller_id, election, valid_from))::INTEGER AS opens
    FROM controllers_history WHERE controller_id >= 0
    WINDOW so_far AS (PARTITION BY cluster ORDER BY valid_from)
  )
)
GROUP BY cluster, controller_id, elected_at, term
WINDOW before_it AS (PARTITION BY cluster ORDER BY min(valid_from))
"""

TIMELINE = Timeline(
    meaning="which node was the controller, from when to when; in a KRaft cluster that is the quorum's leader. "
    "Terms that began and ended between two snapshots are not seen",
    columns=(
        Column("controller_id", "INT", "broker id, or node id under KRaft"),
        Column("epoch", "INT", "its controller epoch, or the quorum's epoch under KRaft"),
        Column(
            "ruled_since",
            "TIMESTAMP",
            "when it was elected; under KRaft when the snapshot was captured that first saw it so",
        ),
        Column(
            "ruled_until",
            "TIMESTAMP",
            "when the snapshot was captured that saw another controller, another election or none; null while it rules",
        ),
        Column(
            "elections_missed",
            "BIGINT",
            "elections between the term before and this one that no snapshot saw; null under KRaft, whose epoch counts "
            "candidacies, and of the first term",
        ),
    ),
    inputs=("controllers_history",),
    sql=_SQL,
)
