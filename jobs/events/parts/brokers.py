"""What became of brokers between two snapshots: which joined, left, bounced, were fenced."""

from jobs.checks.parts.brokers import FENCING_IS_TOLD
from jobs.events.parts.event import CREATED, DELETED, changed, is_now, was

_IS_ONE_COUNT = f"({was('session')} IS NULL) = ({is_now('session')} IS NULL)"
"""A registration in ZooKeeper, which has a session, counts its epochs otherwise than the quorum."""
_IS_ON, _WAS_ON = (f"NOT coalesce({then('fenced')}, false)" for then in (is_now, was))
_TELLS_FENCED = f"(coalesce({was('session')}, {is_now('session')}) IS NOT NULL OR the_cluster_tells)"
_IS_BACK = f"({CREATED} AND {_IS_ON} AND NOT {_TELLS_FENCED} AND coalesce(was_known, false))"
_IS_FENCED_UNNAMED = f"({DELETED} AND {_WAS_ON} AND NOT {_TELLS_FENCED})"

_KNOWN = "SELECT DISTINCT broker_id, true AS was_known FROM brokers_history WHERE session IS NULL"

CHANGES = f"""
SELECT *, CASE
    WHEN {CREATED} AND {_IS_ON} AND NOT {_IS_BACK} THEN 'joined'
    WHEN {_IS_BACK} OR ({changed("fenced")} AND {was("fenced")}) THEN 'unfenced'
    WHEN {_IS_FENCED_UNNAMED} OR ({changed("fenced")} AND {is_now("fenced")}) THEN 'fenced'
    WHEN {DELETED} AND {_WAS_ON} THEN 'left'
    WHEN {DELETED} THEN 'unregistered'
    WHEN {_IS_ONE_COUNT} AND {was("epoch")} <> {is_now("epoch")} THEN 'bounced'
  END AS what
FROM brokers_changes CROSS JOIN ({FENCING_IS_TOLD}) LEFT JOIN ({_KNOWN}) USING (broker_id)
"""
"""`brokers_changes` with `what` happened to the broker.

A broker whose epoch changed was away and came back in between, even if no snapshot saw it gone. An epoch that is not known
before or after says nothing: the Admin API has none. Who is registered in ZooKeeper is not fenced. A fenced broker is
registered, but away: it has not joined when it is first seen, and it does not leave when it is unregistered. Before Kafka
4.0 DescribeCluster of a quorum leaves fenced brokers out: one that is missing was fenced, whatever came after.
"""

_NOW = """
SELECT registered_id AS broker_id, max(after.epoch) AS epoch_now,
  max_by(after.incarnation_id, after.epoch) AS incarnation_now,
  max_by(since_snapshot_id, after.epoch) AS since_snapshot_id, max_by(since_at, after.epoch) AS seen_at
FROM checkpoint_brokers_changes WHERE op <> 'delete' AND NOT coalesce(after.is_migrating, false) GROUP BY registered_id
"""
_BEFORE = """
SELECT registered_id AS broker_id, epoch AS epoch_before, any_value(incarnation_id) AS incarnation_before,
  min(written_by) AS known_by
FROM checkpoint_brokers_history WHERE epoch IS NOT NULL GROUP BY registered_id, epoch
QUALIFY epoch = max(epoch) OVER (PARTITION BY registered_id)
"""
_TOLD = f"""
SELECT broker_id, written_by FROM brokers_history WHERE op = 'delete' OR fenced
UNION ALL SELECT broker_id, NULL FROM brokers_changes WHERE op <> 'update' OR {changed("fenced")}
"""
RESTARTS = f"""
SELECT broker_id, epoch_before, epoch_now, since_snapshot_id, least(seen_at, coalesce(as_of, seen_at)) AS since_at
FROM ({_NOW}) AS now JOIN ({_BEFORE}) USING (broker_id)
CROSS JOIN (SELECT max(before.last_contained_at) AS as_of FROM metadata_checkpoints_changes)
WHERE epoch_now > epoch_before AND incarnation_now <> incarnation_before AND NOT EXISTS (
  FROM ({_TOLD}) AS told WHERE told.broker_id = now.broker_id AND coalesce(told.written_by > known_by, true))
"""
"""Brokers that registered anew with the quorum as another process, which only a checkpoint of the metadata log tells.

A migrating broker is told by ZooKeeper. Where a snapshot saw the broker fenced or missing since it had registered before, its
restart was told then. What happened since the checkpoint before was written may be older than the snapshot before.
"""
