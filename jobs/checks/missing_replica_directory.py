"""Assigned replicas whose directory is gone: a broker that starts makes an empty one."""

from jobs.checks.parts.brokers import LIVING
from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import MOVED_PARTITIONS, shown
from schemas.judgement import Severity

_WAIT = (
    "Find out whether the directory was deleted under the running broker. Do not restart it while it is the only broker in "
    "the ISR of one of these partitions."
)

_MISSING = f"""
WITH moved AS ({MOVED_PARTITIONS}), living AS ({LIVING}),
held AS (
  SELECT DISTINCT broker_id, path, topic, partition FROM disk_replicas CROSS JOIN living
  WHERE (kind = 'current' OR (kind = 'future' AND list_contains(living.ids, broker_id))) AND topic <> '__cluster_metadata'
),
remembered AS (
  SELECT DISTINCT broker_id, topic, partition FROM disk_offsets WHERE high_watermark IS NOT NULL OR recovery_point IS NOT NULL
),
disks AS (
  SELECT broker_id, bool_and(is_current) AS are_seen, bool_or((broker_id, path) NOT IN (SELECT (broker_id, path) FROM held)) AS one_is_empty
  FROM log_dirs GROUP BY broker_id
),
vanished AS (
  SELECT broker_id, before.topic AS topic, before.partition AS partition FROM disk_replicas_changes WHERE op = 'delete'
),
assigned AS (SELECT topic, partition, isr, leader, is_current, unnest(list_filter(replicas, lambda each:
  NOT list_contains(coalesce(adding, []), each))) AS broker_id FROM partitions)
SELECT broker_id, topic || '-' || partition AS replica, coalesce(list_contains(isr, broker_id), false) AS is_in_sync,
  coalesce(isr = [broker_id], false) AS is_alone, list_contains(living.ids, broker_id) AS is_living,
  (broker_id, topic, partition) IN (SELECT (broker_id, topic, partition) FROM remembered)
    OR (one_is_empty AND NOT is_living) AS is_hit,
  assigned.is_current AND are_seen AND (topic, partition) NOT IN (SELECT (topic, partition) FROM moved)
    AND (NOT is_living OR (broker_id, topic, partition) NOT IN (SELECT (broker_id, topic, partition) FROM vanished
      WHERE topic IS NOT NULL AND partition IS NOT NULL)) AS is_known
FROM assigned JOIN disks USING (broker_id) CROSS JOIN living ANTI JOIN held USING (broker_id, topic, partition)
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, bool_or(is_hit) AS is_hit,
  bool_or(is_hit AND is_known) OR bool_and(is_known) AS is_known,
  CASE WHEN bool_or(is_hit AND is_known AND is_in_sync AND NOT is_living) THEN '{Severity.CRITICAL}' END AS severity,
  CASE WHEN NOT bool_or(is_hit AND is_known AND is_in_sync AND NOT is_living) THEN $wait END AS remedy,
  {{replicas: {shown("replica", "is_hit AND is_known")}, missing: count(*) FILTER (is_hit AND is_known),
    in_sync: {shown("replica", "is_hit AND is_known AND is_in_sync")},
    only_in_sync: {shown("replica", "is_hit AND is_known AND is_alone")}}} AS evidence
FROM ({_MISSING}) GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Do not start this broker: it would make empty directories, and where it is in the ISR it may be elected, and the other "
        "replicas cut to nothing. Bring the directories back first."
    ),
    judge=_JUDGE,
    values={"wait": _WAIT},
)
"""No directory in any log dir of the broker, though a checkpoint file still has the replica's line, or a log dir of the stopped
broker holds no replica at all. One without such a trace may lie in a log dir that `varve.yaml` does not name. The target of a
move is no replacement: a broker that starts makes an empty directory beside it, and cuts it to that.
"""
