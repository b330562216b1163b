"""Brokers with a log dir that they have taken offline, or cannot look at."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_JUDGE = """
WITH dirs AS (
  SELECT broker_id, bool_and(is_current) AS is_known, map(list(path ORDER BY path), list(error ORDER BY path)) AS errors
  FROM admin_log_dirs WHERE error IS NOT NULL GROUP BY broker_id
), offline AS (
  SELECT unnest(isr) AS broker_id, topic || '-' || partition AS subject
  FROM partitions WHERE leader = -1 AND is_current
), lost AS (
  SELECT broker_id, list(subject ORDER BY subject) AS subjects FROM offline SEMI JOIN dirs USING (broker_id) GROUP BY ALL
)
SELECT 'broker ' || broker_id AS subject, true AS is_hit, is_known,
  CASE WHEN subjects IS NOT NULL THEN 'critical' END AS severity,
  {log_dirs: errors, partitions_of_which_nobody_else_has_all: coalesce(subjects[:20], [])} AS evidence
FROM dirs LEFT JOIN lost USING (broker_id)
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Look at the disk of the log dir on the broker's host. Restart the broker only when the disk is back with what was "
        "on it; on an empty one only where no partition names this broker alone in its ISR: see the runbook."
    ),
    judge=_JUDGE,
)
"""The broker says so itself (`admin_log_dirs`). It is critical where a partition without a leader has this broker in its ISR."""
