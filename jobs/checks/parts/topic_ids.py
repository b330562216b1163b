"""What both topic id checks compare: the id the cluster keeps, and the ids on disk."""

_ON_DISK = """
SELECT topic, coalesce(list(DISTINCT topic_id ORDER BY topic_id) FILTER (topic_id IS NOT NULL), []) AS disk_ids,
  coalesce(list({broker_id: broker_id, partition: partition, topic_id: topic_id} ORDER BY broker_id, partition, topic_id)
    FILTER (topic_id IS NOT NULL), []) AS replicas_on_disk,
  bool_and(is_current AND (topic_id IS NOT NULL OR problem IS NULL)) AS disks_are_known,
  max(metadata_modified_at) AS disks_modified_at, min(read_at) AS disks_read_at
FROM disk_replicas WHERE kind = 'current' AND (topic_id IS NOT NULL OR problem IS NOT NULL) GROUP BY topic
"""

WITH_DISK_IDS = f"""
SELECT topics.*, disk_ids, replicas_on_disk,
  is_current AND (topic_id IS NOT NULL OR problem IS NULL) AND disks_are_known
    AND coalesce(greatest(modified_at, disks_modified_at) < least(read_at, disks_read_at), true) AS is_known
FROM topics JOIN ({_ON_DISK}) USING (topic) WHERE deletion_pending IS NOT TRUE
"""
"""Topics that are not being deleted, with the ids their replicas have on disk.

Adds `disk_ids` (distinct, sorted), `replicas_on_disk` (broker, partition, id) and `is_known`: topic and replicas were
seen, none of them malformed, and last modified before the earlier of the two reads began, so that no write between the
reads looks like a contradiction.
"""
