"""Topics whose id in the cluster differs from the one on disk: replicas cannot rejoin the ISR."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.topic_ids import CONTROLLERS_IDS, REPLICA_IDS
from schemas.judgement import Severity

_STALE = (
    "The topic serves with one id; some replicas out of sync have another on disk and cannot rejoin, perhaps of an earlier topic "
    "of this name. varve plan topic-id prints which directories to set aside on which stopped broker. Delete none."
)
_KRAFT_OLDER = (
    "Nothing is in danger: these replicas are of an earlier topic of this name. When its broker starts, Kafka sets such a one "
    "aside as -stray and copies the partition anew. Do not delete partition.metadata."
)
_KRAFT = (
    "Restart no broker: on KRaft each would set such a replica aside as -stray and begin an empty one. Find out first whether the "
    "disks or the controllers' metadata are the older ones, for example restored from a backup. Delete nothing."
)

# One current replica that contradicts is proof. What is not proven but not refuted either could still go both ways.
_JUDGE = f"""
WITH replica_ids AS ({REPLICA_IDS}), controllers_ids AS ({CONTROLLERS_IDS}), suspects AS (
  SELECT topic FROM replica_ids GROUP BY topic
  HAVING bool_or(disk_id IS DISTINCT FROM cluster_id AND disk_id IS NOT NULL) OR NOT bool_and(is_seen)
  UNION SELECT topic FROM controllers_ids
  UNION SELECT topic FROM topics WHERE NOT is_current
), earlier AS (
  SELECT DISTINCT topic, topic_id FROM topics_history SEMI JOIN suspects USING (topic) WHERE topic_id IS NOT NULL
), around AS (
  SELECT topic, partition, bool_or(is_in_sync AND disk_id = cluster_id) AS is_served,
    bool_or(is_in_sync AND is_seen AND coalesce(disk_id = cluster_id, true)) AS is_held,
    max(metadata_modified_at) FILTER (disk_id = cluster_id) AS right_since
  FROM replica_ids SEMI JOIN suspects USING (topic) GROUP BY topic, partition
), replicas AS (
  SELECT r.*, disk_id IS NOT NULL AND disk_id IS DISTINCT FROM cluster_id AS differs, is_served AND NOT is_in_sync AS is_stale,
    earlier.topic_id IS NOT NULL OR coalesce(right_since > metadata_modified_at, false)
      OR coalesce(is_held AND NOT is_in_sync, false) AS is_older
  FROM replica_ids AS r JOIN around USING (topic, partition)
  LEFT JOIN earlier ON earlier.topic = r.topic AND earlier.topic_id = r.disk_id
), disks AS (
  SELECT topic, coalesce(list(DISTINCT disk_id ORDER BY disk_id) FILTER (disk_id IS NOT NULL), []) AS disk_ids,
    coalesce(list('partition ' || partition || ' on broker ' || broker_id ORDER BY partition, broker_id) FILTER (differs), [])
      AS others,
    count(DISTINCT disk_id) FILTER (is_proof) AS proven_ids, bool_or(is_proof AND differs) AS is_contradicted,
    bool_and(is_seen AND (is_proof OR NOT differs)) AS is_settled, bool_and(is_stale OR NOT differs) AS is_stale,
    bool_and(is_older OR NOT differs) AS is_older
  FROM replicas GROUP BY topic
), judged AS (
  SELECT *, EXISTS (SELECT 1 FROM quorum) AS is_kraft,
    is_current AND topic_id IS NOT NULL AND coalesce(is_contradicted, false) AS is_other,
    is_current AND coalesce(controllers_id <> topic_id, false) AS is_before_election
  FROM topics SEMI JOIN suspects USING (topic) LEFT JOIN disks USING (topic) LEFT JOIN controllers_ids USING (topic)
  WHERE deletion_pending IS NOT TRUE
), hits AS (SELECT *, is_other OR coalesce(proven_ids > 1, false) OR is_before_election AS is_hit FROM judged)
SELECT topic AS subject, is_hit,
  is_hit OR (is_current AND (topic_id IS NOT NULL OR problem IS NULL) AND coalesce(is_settled, true)) AS is_known,
  CASE WHEN is_kraft AND is_older THEN '{Severity.INFO}'
    WHEN NOT is_kraft AND is_stale AND topic_id IS NOT NULL AND NOT is_before_election THEN '{Severity.WARNING}' END AS severity,
  CASE WHEN is_kraft AND is_older THEN $kraft_older WHEN is_kraft THEN $kraft
    WHEN is_stale AND topic_id IS NOT NULL AND NOT is_before_election THEN $stale END AS remedy,
  {{cluster_topic_id: topic_id, disk_topic_ids: disk_ids, replicas: others, data_version: data_version,
    controllers_topic_id: CASE WHEN is_before_election THEN controllers_id END}} AS evidence
FROM hits
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Restart no broker. `varve plan topic-id` prints each step with full paths and what must be so before it: heal every "
        "topic-id-latent finding first, then put the id of the disks back into the znode, then elect a controller once, when no "
        "topic lacks its id. Not while a migration to KRaft is under way."
    ),
    judge=_JUDGE,
    values={"kraft": _KRAFT, "kraft_older": _KRAFT_OLDER, "stale": _STALE},
)
"""Disks and cluster disagree on the id, or the disks among themselves, or the controller works with another one."""
