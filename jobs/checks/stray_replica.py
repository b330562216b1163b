"""Directories that Kafka has set aside as stray, or will: of replicas that the cluster does not assign to their broker."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import MOVED_PARTITIONS, SETTLED, shown
from schemas.judgement import Severity

_NEEDED = (
    "Delete nothing of it: a partition without a leader may have its only copy there. Copy the directory to a safe place, then "
    "see the runbook."
)
_WITHOUT_ID = (
    "Do not restart this broker before the partitions have full ISRs without it: on KRaft a replica without partition.metadata "
    "is set aside as stray when its broker starts, and an empty one is begun."
)

_DIRECTORIES = f"""
WITH settled AS ({SETTLED}), moved AS ({MOVED_PARTITIONS}),
cluster AS (
  SELECT coalesce(bool_and(is_current), false) AS topics_are_seen, EXISTS (SELECT 1 FROM quorum) AS is_kraft FROM topics
)
SELECT d.broker_id, d.path || '/' || d.dir_name AS directory,
  d.kind = 'stray' AS is_stray, coalesce(list_contains(p.replicas, d.broker_id), false) AS is_assigned,
  coalesce(p.leader = -1 AND (d.topic_id = t.topic_id OR d.topic_id IS NULL), false) AS is_needed,
  CASE WHEN d.kind = 'stray' THEN d.is_current
    ELSE is_settled AND (d.topic, d.partition) NOT IN (SELECT (topic, partition) FROM moved)
      AND CASE WHEN p.topic IS NULL THEN topics_are_seen ELSE p.is_current AND p.replicas IS NOT NULL END END AS is_known
FROM settled AS d CROSS JOIN cluster
LEFT JOIN topics AS t ON t.topic = d.topic
LEFT JOIN partitions AS p ON p.topic = d.topic AND p.partition = d.partition
WHERE t.deletion_pending IS NOT TRUE AND (d.kind = 'stray' OR (d.kind = 'current' AND (
  NOT coalesce(list_contains(p.replicas, d.broker_id), false)
  OR (is_kraft AND d.topic_id IS NULL AND d.problem IS NULL)
)))
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_or(is_known) AS is_known,
  CASE WHEN bool_or(is_known AND is_needed AND NOT is_assigned) THEN '{Severity.CRITICAL}'
    WHEN bool_or(is_known AND is_assigned AND NOT is_stray) THEN '{Severity.WARNING}' END AS severity,
  CASE WHEN bool_or(is_known AND is_needed AND NOT is_assigned) THEN $needed
    WHEN bool_or(is_known AND is_assigned AND NOT is_stray) THEN $without_id END AS remedy,
  {{set_aside: {shown("directory", "is_known AND is_stray")},
    not_assigned: {shown("directory", "is_known AND NOT is_stray AND NOT is_assigned")},
    without_topic_id: {shown("directory", "is_known AND NOT is_stray AND is_assigned")},
    of_offline_partitions: {shown("directory", "is_known AND is_needed AND NOT is_assigned")}}} AS evidence
FROM ({_DIRECTORIES}) GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy="Nothing is in danger. Delete what was set aside when its partitions have leaders and full ISRs, and nobody misses it.",
    judge=_JUDGE,
    values={"needed": _NEEDED, "without_id": _WITHOUT_ID},
)
"""`LogManager.isStrayKraftReplica`, told before it happens.

By the assignment: one of a reassignment under way is assigned. Whose topic id is another is told by `topic-id-mismatch`.
"""
