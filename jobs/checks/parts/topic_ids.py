"""What both topic id checks compare: the id the cluster keeps, the ids on disk, and the one the controller works with."""

REPLICA_IDS = """
SELECT d.topic, d.partition, d.broker_id, d.topic_id AS disk_id, d.metadata_modified_at, t.topic_id AS cluster_id,
  d.is_current AND (d.topic_id IS NOT NULL OR d.problem IS NULL) AS is_seen,
  d.is_current AND d.topic_id IS NOT NULL
    AND coalesce(greatest(t.modified_at, d.metadata_modified_at) < least(t.read_at, d.read_at), true) AS is_proof,
  list_contains(p.isr, d.broker_id) AS is_in_sync
FROM disk_replicas AS d
JOIN topics AS t ON t.topic = d.topic
JOIN partitions AS p ON p.topic = d.topic AND p.partition = d.partition
WHERE d.kind = 'current' AND list_contains(p.replicas, d.broker_id)
"""
"""Every assigned replica with its `disk_id` and the topic's id in the cluster, `cluster_id`.

`is_seen`: this snapshot read it, and it is well-formed. `is_proof`: its id is also from before either of the two reads began,
as the topic's is, so that no write between the reads looks like a contradiction. Other directories may be of an earlier topic.
"""

CONTROLLERS_IDS = """
SELECT held.topic, arg_min(held.topic_id, held.changed_at) AS controllers_id
FROM (
  SELECT topic, topic_id, czxid, changed_at, lead(changed_at) OVER (PARTITION BY topic ORDER BY changed_at) AS until
  FROM (SELECT DISTINCT topic, topic_id, czxid, changed_at FROM topics_history)
) AS held
JOIN topics AS now_there ON now_there.topic = held.topic AND now_there.czxid = held.czxid
JOIN (
  SELECT min(past.changed_at) AS began
  FROM controllers_history AS past JOIN controllers AS ruling ON ruling.epoch = past.epoch
) ON held.until > began OR (held.until IS NULL AND began IS NOT NULL)
WHERE held.topic_id IS NOT NULL GROUP BY held.topic
"""
"""In ZooKeeper mode: the id that the living controller has in memory, `controllers_id`.

That is the first that earlier snapshots saw in the topic's znode during its term: it reads ids when it is elected, never after.
"""
