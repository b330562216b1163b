"""Observers of the metadata quorum that are no longer living members of the cluster."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.quorum import LEADER_NOW
from schemas.judgement import Severity

_SILENT_S = 30
"""A node that is not known as a former broker counts as dying when it was silent so long. A healthy one fetches twice a second."""
_FETCHING_S = 3

_FRESH_S = 60
"""A checkpoint whose last record is no older may tell who is registered."""

_SILENCE = f"""
SELECT node_id, epoch(leader_now) - epoch(last_fetch_at) AS silence_s
FROM (SELECT node_id, max(last_fetch_at) AS last_fetch_at FROM quorum_progress GROUP BY node_id)
CROSS JOIN ({LEADER_NOW})
"""
"""Seconds since the last fetch of each node, by the leader's clock."""

_NODES = """
SELECT node_id, bool_and(is_current) AS members_are_current,
  coalesce(list(DISTINCT directory_id ORDER BY directory_id) FILTER (directory_id IS NOT NULL), []) AS directory_ids,
  bool_or(role = 'voter') AS is_voter
FROM quorum_members GROUP BY node_id HAVING bool_or(role = 'observer')
"""

_FORMER = """
SELECT broker_id FROM brokers_history UNION SELECT unnest(replicas) FROM partitions
UNION SELECT broker_id FROM disk_replicas WHERE topic <> '__cluster_metadata'
"""
"""Nodes that are or were brokers: seen registered, or assigned a replica, or with a replica on their disks."""

_LEFT_OUT = f"""
SELECT node_id FROM quorum_progress_before
CROSS JOIN (SELECT max(last_fetch_at) AS leader_then FROM quorum_progress_before)
CROSS JOIN (SELECT max(last_contained_at) AS ended_at FROM metadata_checkpoints WHERE problem IS NULL AND is_current)
CROSS JOIN ({LEADER_NOW})
WHERE epoch(last_fetch_at) >= epoch(leader_then) - {_FETCHING_S}
  AND leader_then < ended_at AND epoch(ended_at) >= epoch(leader_now) - {_FRESH_S}
EXCEPT SELECT registered_id FROM checkpoint_brokers
"""
"""Nodes that fetched in the snapshot before, while a checkpoint that ended after it, a moment ago, does not register them.

The empty one of a cluster that was just formatted, or one from before the node started, does not tell: it registered later.
"""

_LISTING = """
SELECT bool_and(is_current) AS brokers_are_current, EXISTS (FROM admin_brokers WHERE fenced IS NOT NULL) AS lists_fenced
FROM brokers
"""
"""`lists_fenced`: DescribeCluster lists fenced brokers, too (Kafka 4.0 and newer)."""

_OBSERVERS = f"""
SELECT node_id, directory_ids, was_broker, is_voter,
  members_are_current AND coalesce(brokers_are_current, true) AS is_known,
  CASE
    WHEN len(directory_ids) > 1 THEN 'doubled'
    WHEN NOT is_registered AND is_known_to_go AND is_fetching THEN if(lists_fenced OR is_left_out, 'zombie', 'unknown')
    WHEN NOT is_living AND is_known_to_go AND NOT is_fetching THEN 'dying'
  END AS ghost_class
FROM (
  SELECT *, was_broker OR is_registered OR coalesce(silence_s > $silent_s, false) AS is_known_to_go,
    coalesce(silence_s <= {_FETCHING_S}, false) AS is_fetching
  FROM (
    SELECT node_id, directory_ids, members_are_current, is_voter, node_id IN ({_FORMER}) AS was_broker,
      node_id IN (SELECT broker_id FROM brokers) AS is_registered,
      node_id IN ({_LEFT_OUT}) AS is_left_out,
      node_id IN (SELECT broker_id FROM brokers WHERE fenced IS NOT TRUE) AS is_living
    FROM ({_NODES})
  )
  LEFT JOIN ({_SILENCE}) USING (node_id)
  CROSS JOIN ({_LISTING})
)
"""
"""One row a node that has an observer entry.

A fenced broker that fetches is one that starts: it is unfenced when it has loaded its logs. Where fenced brokers are not
listed, one that starts or was stopped a second ago looks like one that was unregistered, and its class is `unknown` unless
a checkpoint leaves it out.
"""

_FORGOTTEN = """
SELECT broker_id AS node_id, CAST([] AS VARCHAR[]) AS directory_ids, true AS was_broker, false AS is_voter,
  is_current AND coalesce(quorum_is_current, false) AS is_known, 'forgotten' AS ghost_class
FROM (SELECT broker_id, is_current FROM brokers WHERE fenced)
SEMI JOIN (
  SELECT broker_id FROM brokers_history GROUP BY broker_id HAVING max_by(fenced AND op <> 'delete', written_by)
) USING (broker_id)
ANTI JOIN (SELECT node_id AS broker_id FROM quorum_members) USING (broker_id)
CROSS JOIN (SELECT bool_and(is_current) AS quorum_is_current FROM quorum_members)
"""
"""Brokers that were fenced in an earlier snapshot already and have no entry in the quorum."""

_JUDGE = f"""
SELECT 'node ' || node_id AS subject, ghost_class IS NOT NULL AS is_hit, is_known,
  {{ghost_class: ghost_class, directory_ids: directory_ids, was_broker: was_broker}} AS evidence,
  if(ghost_class IN ('dying', 'unknown') OR (ghost_class = 'doubled' AND NOT is_voter), 'info', NULL) AS severity,
  CASE WHEN is_voter THEN 'quorum-health' WHEN ghost_class IN ('dying', 'forgotten') THEN 'broker-down' END AS cause_check_id,
  if(is_voter, 'quorum', 'broker ' || node_id) AS cause_subject
FROM ({_OBSERVERS} UNION ALL BY NAME {_FORGOTTEN})
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Do not stop a node because of this alone: a broker that is starting may look the same. See the runbook for its "
        "ghost class: dying goes by itself, unknown is starting or was unregistered, zombie was unregistered, doubled has "
        "a new directory, forgotten comes back with its original disks or is unregistered."
    ),
    judge=_JUDGE,
    values={"silent_s": _SILENT_S},
)
"""Nodes that have an observer entry and are no living member, and brokers that should have an entry and have none."""
