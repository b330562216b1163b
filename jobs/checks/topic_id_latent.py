"""Topics whose id is gone from ZooKeeper while the disks still have it: harmless until the controller moves."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.instants import instant
from jobs.checks.parts.topic_ids import REPLICA_IDS
from schemas.judgement import Severity

# Kafka gives ids from inter.broker.protocol.version 2.8 on; where that is not known, one id anywhere tells it.
_GIVES_IDS = r"""
SELECT coalesce(
  (SELECT min(string_split(regexp_extract(value, '^\d+\.\d+'), '.')::INT[]) >= [2, 8] FROM broker_settings
    WHERE name = 'inter.broker.protocol.version' AND regexp_matches(value, '^\d+\.\d+')),
  (SELECT bool_or(topic_id IS NOT NULL) FROM topics), false)
  OR coalesce((SELECT bool_or(topic_id IS NOT NULL) FROM topics_history), false) AS gives_ids
"""

_JUDGE = f"""
WITH lacking AS (
  SELECT * FROM topics
  WHERE topic_id IS NULL AND deletion_pending IS NOT TRUE AND (czxid IS NOT NULL OR NOT is_current)
), disks AS (
  SELECT topic, coalesce(list(DISTINCT disk_id ORDER BY disk_id) FILTER (disk_id IS NOT NULL), []) AS disk_ids,
    bool_or(is_proof) AS is_proven, bool_or(is_seen AND disk_id IS NOT NULL AND NOT is_proof) AS is_moving, count(disk_id) AS replicas_with_it, count(*) FILTER (is_seen) AS seen
  FROM ({REPLICA_IDS}) WHERE cluster_id IS NULL GROUP BY topic
), assigned AS (
  SELECT topic, sum(len(replicas)) AS replicas FROM partitions JOIN lacking USING (topic) GROUP BY topic
), before AS (
  SELECT h.topic, arg_max(h.topic_id, h.changed_at) AS last_id
  FROM topics_history AS h JOIN lacking AS l ON l.topic = h.topic AND l.czxid = h.czxid
  WHERE h.topic_id IS NOT NULL GROUP BY h.topic
), judged AS (
  SELECT lacking.*, coalesce(disk_ids, []) AS ids, coalesce(is_proven, false) AS proven, is_moving, replicas_with_it, last_id,
    gives_ids, len(coalesce(disk_ids, [])) = 0 AND coalesce(seen = replicas, false) AS is_on_no_disk,
    data_version = 0 AND created_at > read_at - INTERVAL 1 MINUTE AS is_being_created
  FROM lacking LEFT JOIN disks USING (topic) LEFT JOIN assigned USING (topic) LEFT JOIN before USING (topic)
  CROSS JOIN ({_GIVES_IDS})
)
SELECT topic AS subject, len(ids) = 1 OR (len(ids) = 0 AND gives_ids) AS is_hit,
  is_current AND problem IS NULL AND coalesce(modified_at < read_at, true) AND is_being_created IS NOT TRUE
    AND (proven OR is_moving IS NOT TRUE OR last_id IS NOT NULL) AS is_known,
  CASE WHEN is_on_no_disk THEN '{Severity.INFO}' END AS severity,
  CASE WHEN is_on_no_disk THEN
    'Nothing is in danger: no replica of the topic has an id on disk yet, so a new one harms nobody.' END AS remedy,
  {{disk_topic_id: ids[1], replicas_with_it: replicas_with_it, last_topic_id: last_id,
    confidence: CASE WHEN proven OR is_on_no_disk THEN 'high' ELSE 'lower: no disk was read that has its id' END,
    znode_version: znode_version, data_version: data_version, znode_modified_at: {instant("modified_at")}}} AS evidence
FROM judged
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Do not move the controller, and restart no broker. `varve plan topic-id` prints how the id comes back, and what must be "
        "so before: where all replicas of a partition are alive and in sync, reassign it to exactly these, in their order."
    ),
    judge=_JUDGE,
    becomes="topic-id-mismatch",
)
"""No id in a well-formed znode, though the cluster gives ids, and one id on the disks or none that was read."""
