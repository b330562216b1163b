"""Brokers that lead too few of the partitions that prefer them."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_DEFAULT_PERCENTAGE = 10

_JUDGE = f"""
WITH going AS (SELECT topic FROM topics WHERE deletion_pending),
staying AS (SELECT *, replicas[1] AS preferred FROM partitions ANTI JOIN going USING (topic)),
assigned AS (SELECT count(*) FILTER (replicas IS NULL) = 0 AS is_whole FROM staying),
per_broker AS (
  SELECT preferred AS broker_id, count(*) AS preferred_count,
    count(*) FILTER (leader >= 0 AND leader <> preferred) AS led_elsewhere_count,
    bool_and(is_current AND NOT (leader IS NULL AND problem IS NOT NULL)) AS are_known
  FROM staying GROUP BY preferred
),
percentage AS (
  SELECT coalesce(min(TRY_CAST(value AS INTEGER)), {_DEFAULT_PERCENTAGE}) AS allowed_percentage
  FROM configs WHERE scope = 'broker' AND name = 'leader.imbalance.per.broker.percentage'
)
SELECT 'broker ' || broker_id AS subject, led_elsewhere_count * 100 > preferred_count * allowed_percentage AS is_hit,
  coalesce(are_known, true) AND is_whole AND is_current AS is_known,
  {{preferred_count: preferred_count, led_elsewhere_count: led_elsewhere_count, allowed_percentage: allowed_percentage}} AS evidence
FROM (SELECT broker_id, is_current FROM brokers WHERE fenced IS NOT TRUE)
LEFT JOIN per_broker USING (broker_id) CROSS JOIN percentage CROSS JOIN assigned
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Run a preferred leader election (kafka-leader-election --election-type preferred) once the ISR is full.",
    judge=_JUDGE,
)
"""As `KafkaController.checkAndTriggerAutoLeaderRebalance` counts it, for brokers that are there and not fenced.

Partitions without a leader or a state count in the total and never as imbalanced. A malformed state does not say who leads:
nothing is known of the broker that its partition prefers. A malformed topic does not say whom its partitions prefer: nothing
is known of any broker.
"""
