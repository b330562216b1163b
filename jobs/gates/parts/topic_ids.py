"""Whether a new controller would change or spread the id of a topic, in ZooKeeper mode.

On its election it mints an id for each topic without one, and sends the znode's id to every broker; a broker whose disk has
another refuses (KafkaController.processTopicIds, ReplicaManager.becomeLeaderOrFollower).
"""

from collections.abc import Iterator

from jobs.gates.parts.asked import Asked, named

RESTS_ON = ("topics", "partitions", "disk_replicas")

_COMPARED = """
WITH held AS (SELECT topic, partition, unnest(replicas) AS broker_id FROM partitions),
disk AS (
  SELECT topic, partition, broker_id, bool_and(is_current AND (problem IS NULL OR topic_id IS NOT NULL)) AS is_seen,
    list(DISTINCT topic_id) FILTER (topic_id IS NOT NULL) AS ids
  FROM disk_replicas WHERE kind = 'current' GROUP BY ALL
),
compared AS (
  SELECT topic, count(*) FILTER (NOT coalesce(is_seen, false)) AS unseen,
    list_distinct(flatten(list(coalesce(ids, [])))) AS disk_ids
  FROM held LEFT JOIN disk USING (topic, partition, broker_id) GROUP BY topic
),
judged AS (
  SELECT topic, CASE WHEN len(disk_ids) > 1 OR (topic_id IS NOT NULL AND len(disk_ids) = 1 AND disk_ids[1] <> topic_id)
      THEN 'another id on a disk than in ZooKeeper, or several (topic-id-mismatch)'
    WHEN topic_id IS NULL AND len(disk_ids) = 1 THEN 'a new controller would give it another id than its disks have (topic-id-latent)'
    WHEN unseen > 0 THEN 'the id on the disks was not seen everywhere' END AS why
  FROM topics JOIN compared USING (topic) WHERE NOT coalesce(deletion_pending, false)
)
SELECT why, count(*), list(topic ORDER BY topic)[:3] FROM judged WHERE why IS NOT NULL GROUP BY why ORDER BY why
"""
_NOT_IN_SIGHT = (
    "0 topic ids of ZooKeeper are in the snapshot: a topic that lost its id is not seen over the Kafka API"
)


def ids_at_risk(asked: Asked) -> Iterator[str]:
    """Topics that a new controller would harm, or of which that is not known. KRaft keeps ids in its log: none there."""
    if asked.is_kraft:
        return
    if asked.authority != "zookeeper":
        yield _NOT_IN_SIGHT
    for why, count, topics in asked.rows(_COMPARED):
        yield f"{why}: {named(count, 'topic', topics)}"
