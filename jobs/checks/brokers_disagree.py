"""Settings that decide how partitions fare, and versions, in which the brokers of one cluster differ."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.instants import instant
from schemas.judgement import Severity

_ROLLING_RESTART = "INTERVAL 1 DAY"
"""So long brokers may differ because somebody restarts one after the other."""

_REGISTERED = """
SELECT registered_id AS broker_id, max_by(features, epoch) AS features, bool_or(is_current) AS is_current, min(read_at) AS read_at
FROM checkpoint_brokers SEMI JOIN brokers ON registered_id = brokers.broker_id GROUP BY registered_id
UNION ALL SELECT broker_id, features, is_current, read_at FROM brokers WHERE features IS NOT NULL
"""
"""What each broker said it can do when it registered: in ZooKeeper, or in the newest checkpoint that has it."""

_TOLD = f"""
SELECT name, broker_id, value, is_current, read_at, changed_at
FROM broker_settings LEFT JOIN (
  SELECT name, max(changed_at) AS changed_at FROM broker_settings_history GROUP BY name
) USING (name)
WHERE value IS NOT NULL AND name <> 'zookeeper.metadata.migration.enable'
UNION ALL
SELECT 'metadata.version', broker_id, 'up to ' || unnest(list_filter(features, lambda each: each.name = 'metadata.version')).max_version,
  is_current, read_at, (SELECT max(changed_at) FROM (
    SELECT changed_at FROM brokers_history UNION ALL SELECT changed_at FROM checkpoint_brokers_history))
FROM ({_REGISTERED})
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
    remedy=(
        "If no rolling restart or upgrade is under way, give every broker the same value in its server.properties, or the same "
        "version of Kafka, and restart one after the other."
    ),
    judge=_JUDGE,
)
"""What `broker_settings` says of each broker, and the highest metadata.version that each supports.

What is to differ while brokers migrate to KRaft one by one is left out. A warning when nothing has changed for a day, which no
rolling restart takes.
"""
