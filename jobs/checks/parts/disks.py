"""What lies on the brokers' disks, as the checks of disks compare it with the cluster."""

_SHOWN = 20
"""So many of a list stand in the evidence."""

SETTLED = """
SELECT disk_replicas.*, is_current AND (broker_id, path) IN (SELECT broker_id, path FROM log_dirs_history)
  AND (broker_id, path, dir_name) NOT IN (SELECT broker_id, path, dir_name FROM disk_replicas_changes) AS is_settled
FROM disk_replicas WHERE topic IS NOT NULL AND topic <> '__cluster_metadata'
"""
"""The directories of replicas. `is_settled`: an earlier snapshot found this one already, just as it is.

What a disk held in an earlier snapshot is older than all that this snapshot read, so that no write between two reads of
this snapshot looks like a contradiction.
"""

MOVED_PARTITIONS = """
SELECT topic, partition FROM partitions_changes
WHERE op <> 'update' OR (before.replicas, before.adding) IS DISTINCT FROM (after.replicas, after.adding)
UNION SELECT topic, partition FROM partitions SEMI JOIN (
  SELECT topic FROM topics_changes WHERE op <> 'update' OR before.topic_id IS DISTINCT FROM after.topic_id
) USING (topic)
"""
"""Partitions that the cluster did not assign, or not to the same brokers, in the snapshot before."""


def shown(told: str, condition: str = "true") -> str:
    """SQL: the first of what is told of the rows of a group, sorted, where a condition holds."""
    return f"list_sort(list(DISTINCT {told}) FILTER ({condition}))[:{_SHOWN}]"
