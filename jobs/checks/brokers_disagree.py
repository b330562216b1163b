"""Settings that decide how partitions fare, and that brokers of one cluster go by differently."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.instants import instant
from schemas.judgement import Severity

_ROLLING_RESTART = "INTERVAL 1 DAY"
"""So long brokers may differ because somebody restarts one after the other."""

_TOLD = """
SELECT name, broker_id, value, is_current, read_at, changed_at
FROM broker_settings LEFT JOIN (
  SELECT name, max(changed_at) AS changed_at FROM broker_settings_history GROUP BY name
) USING (name)
WHERE value IS NOT NULL
"""

_JUDGE = f"""
SELECT name AS subject, count(DISTINCT value) > 1 AS is_hit,
  count(DISTINCT value) FILTER (is_current) > 1 OR bool_and(is_current) AS is_known,
  CASE WHEN max(changed_at) < min(read_at) - {_ROLLING_RESTART} THEN '{Severity.WARNING}' END AS severity,
  {{brokers: list(broker_id || ': ' || value ORDER BY broker_id), last_changed_at: {instant("max(changed_at)")}}} AS evidence
FROM ({_TOLD}) GROUP BY name
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy="If no rolling restart is under way, give every broker the same value in its server.properties, and restart one after the other.",
    judge=_JUDGE,
)
"""What `broker_settings` says of each broker; a warning when nothing has changed for a day, which no rolling restart takes."""
