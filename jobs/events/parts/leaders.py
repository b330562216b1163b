"""What became of brokers, why a partition has another leader, and whether it can have been elected cleanly."""

from jobs.events.parts.brokers import CHANGES, RESTARTS
from jobs.events.parts.event import is_now, was

FATES = f"""
SELECT map(list(broker_id), list(fate)) AS fates FROM (
  SELECT broker_id, coalesce(max(fate) FILTER (fate LIKE 'broker-%'), min(fate)) AS fate FROM (
    SELECT broker_id, 'broker-' || what AS fate FROM ({CHANGES})
    WHERE what IN ('left', 'unregistered', 'fenced', 'bounced')
    UNION ALL SELECT broker_id, 'broker-bounced' FROM ({RESTARTS})
    UNION ALL SELECT registered_id, 'controlled-shutdown' FROM checkpoint_brokers WHERE in_controlled_shutdown
    UNION ALL SELECT broker_id, 'failed-log-dir' FROM admin_log_dirs_changes
    WHERE after.error IS NOT NULL AND before.error IS NULL
  ) GROUP BY broker_id
)
"""
"""What became of brokers, by id: one that went away in the words of its event, one that was shutting down, one that lost a
log dir.
"""

_OF_OLD_LEADER = f"fates[{was('leader')}]"
WHY_OFFLINE = f"coalesce({_OF_OLD_LEADER}, 'unknown')"
WHY_MOVED = f"""CASE
    WHEN NOT list_contains({is_now("replicas")}, {was("leader")}) THEN 'reassignment'
    WHEN {_OF_OLD_LEADER} <> 'failed-log-dir' THEN {_OF_OLD_LEADER}
    WHEN list_contains({is_now("isr")}, {was("leader")}) IS NOT TRUE THEN {WHY_OFFLINE}
    WHEN {is_now("leader")} = {is_now("replicas")}[1] THEN 'preferred-election'
    ELSE 'unknown' END"""
"""The preferred leader takes over from one that stays in the ISR by an election that was asked for."""

_ELIGIBLE = "eligible_leader_replicas"
_IS_OUTSIDE = f"""(NOT list_contains({was("isr")}, {is_now("leader")})
    AND NOT list_contains(coalesce({was(_ELIGIBLE)}, []), {is_now("leader")})
    AND (len({was("isr")}) > 0 OR {was(_ELIGIBLE)} IS NOT NULL))"""
_LEADER_EPOCHS, _PARTITION_EPOCHS = (
    f"({is_now(column)} - {was(column)})" for column in ("leader_epoch", "partition_epoch")
)
IS_UNCLEAN = f"""({_IS_OUTSIDE} AND coalesce({was("leader")} = -1 AND {_LEADER_EPOCHS} = 1, false)
    OR {_IS_OUTSIDE} AND coalesce({_LEADER_EPOCHS} > 0 AND {_LEADER_EPOCHS} = {_PARTITION_EPOCHS}, false)
    OR coalesce({is_now("recovering")} AND NOT {was("recovering")}, false))"""
"""Only a leader lets replicas join the ISR, and the leader epoch grows with every election.

So none joined where there was no leader and one election since, or where every write of the state (which the partition epoch
counts) was an election or another write of the controller (`kafka.controller.PartitionStateMachine`).
"""
