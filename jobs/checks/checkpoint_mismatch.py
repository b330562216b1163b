"""Offset checkpoints that do not fit the directories beside them."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import SETTLED, shown
from schemas.judgement import Severity

_YOUNG = "INTERVAL 1 MINUTE"
"""So old a replica must be before its high watermark is missed: brokers write it every five seconds."""

_LINES = f"""
WITH settled AS ({SETTLED}), assigned AS (SELECT topic, partition, unnest(replicas) AS broker_id FROM partitions),
vanished AS (SELECT broker_id, path, dir_name FROM disk_replicas_changes WHERE op = 'delete'),
kept AS (
  SELECT broker_id, topic, partition, max(high_watermark) AS high_watermark, max(recovery_point) AS recovery_point
  FROM disk_offsets GROUP BY broker_id, topic, partition
)
SELECT broker_id, o.path || '/' || o.dir_name AS replica, 'without directory' AS mismatch,
  EXISTS (SELECT 1 FROM topics) AS is_known, NULL AS topic_of_other_id
FROM disk_offsets AS o ANTI JOIN disk_replicas USING (broker_id, topic, partition) ANTI JOIN assigned USING (broker_id, topic, partition)
ANTI JOIN vanished USING (broker_id, path, dir_name)
WHERE coalesce(high_watermark, recovery_point, log_start) IS NOT NULL
UNION ALL
SELECT broker_id, d.path || '/' || d.dir_name,
  CASE WHEN o.recovery_point > 0 AND coalesce(len(leader_epochs), 0) = 0 THEN 'is cut' ELSE 'without high watermark' END,
  is_settled AND coalesce(o.topic IS NOT NULL AND metadata_modified_at < d.read_at - {_YOUNG}, false),
  CASE WHEN d.topic_id <> ids.topic_id THEN d.topic END
FROM settled AS d SEMI JOIN assigned USING (broker_id, topic, partition)
LEFT JOIN kept AS o USING (broker_id, topic, partition) LEFT JOIN (SELECT topic, topic_id FROM topics) AS ids ON ids.topic = d.topic
WHERE kind = 'current' AND o.high_watermark IS NULL AND (len(leader_epochs) > 0 OR o.recovery_point > 0 OR o.topic IS NULL)
"""

_IS_MALFORMED = "bool_or(malformed.problem LIKE '%-offset-checkpoint: %')"
_ARE_OF_OTHER_IDS = "count(topic_of_other_id) = count(*)"
"""A broker writes no high watermark of replicas that it cannot lead or follow since the cluster has another topic id."""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_or(is_known) AS is_known,
  CASE WHEN bool_or(is_known AND mismatch = 'is cut') THEN '{Severity.WARNING}' END AS severity,
  {{without_directory: {shown("replica", "is_known AND mismatch = 'without directory'")},
    without_high_watermark: {shown("replica", "is_known AND mismatch = 'without high watermark'")},
    would_be_cut: {shown("replica", "is_known AND mismatch = 'is cut'")}}} AS evidence,
  CASE WHEN {_IS_MALFORMED} THEN 'malformed-metadata' WHEN {_ARE_OF_OTHER_IDS} THEN 'topic-id-mismatch' END AS cause_check_id,
  CASE WHEN {_IS_MALFORMED} THEN 'broker ' || broker_id WHEN {_ARE_OF_OTHER_IDS} THEN min(topic_of_other_id) END AS cause_subject
FROM ({_LINES}) LEFT JOIN log_dirs AS malformed USING (broker_id) GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy="Let this broker be, if it runs: it writes its checkpoints anew. Before one that is down starts, see the runbook.",
    judge=_JUDGE,
)
"""Lines for what has no directory and is not assigned, and assigned replicas without a high watermark.

One without a leader epoch either is cut to its beginning when it becomes a follower (`ReplicaFetcherThread`, KIP-101).
"""
