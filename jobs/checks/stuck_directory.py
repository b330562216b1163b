"""Directories of a move or a deletion that does not end."""

from jobs.checks.parts.brokers import LIVING
from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import SETTLED, shown
from schemas.judgement import Severity

_MARKED = f"""
WITH settled AS ({SETTLED}), living AS ({LIVING})
SELECT broker_id, path || '/' || dir_name AS directory, kind, is_settled,
  (broker_id, topic, partition) NOT IN (SELECT (broker_id, topic, partition) FROM settled WHERE kind = 'current') AS is_abandoned
FROM settled CROSS JOIN living
WHERE kind = 'future' OR (kind = 'delete' AND list_contains(living.ids, broker_id))
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_or(is_settled) AS is_known,
  CASE WHEN bool_or(is_settled AND kind = 'future' AND is_abandoned) THEN '{Severity.WARNING}' END AS severity,
  {{future: {shown("directory", "is_settled AND kind = 'future'")}, delete: {shown("directory", "is_settled AND kind = 'delete'")},
    future_alone: {shown("directory", "is_settled AND kind = 'future' AND is_abandoned")}}} AS evidence,
  CASE WHEN bool_or(is_settled AND kind = 'future' AND is_abandoned) THEN 'missing-replica-directory' END AS cause_check_id,
  CASE WHEN bool_or(is_settled AND kind = 'future' AND is_abandoned) THEN 'broker ' || broker_id END AS cause_subject
FROM ({_MARKED}) GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy=(
        "Wait: a move may take hours, and a deletion ends a minute after it began. If it does not, read the broker's log for "
        "these directories. Delete none that stands alone."
    ),
    judge=_JUDGE,
)
"""A `-future` directory, or on a living broker a `-delete` one, that an earlier snapshot found as well.

A future replica without a current one beside it holds what there is on this broker: a warning.
"""
