"""Why a partition has another leader, and whether it can have been elected cleanly."""

from jobs.events.parts.brokers import CHANGES, RESTARTS
from jobs.events.parts.event import is_now, was

OLD_LEADERS = f"""
SELECT broker_id AS old_leader, max('broker-' || what) AS fate, bool_or(what IS NULL) AS is_leaving FROM (
  SELECT broker_id, what FROM ({CHANGES}) WHERE what IN ('left', 'unregistered', 'fenced', 'bounced')
  UNION ALL SELECT broker_id, 'bounced' FROM ({RESTARTS})
  UNION ALL SELECT registered_id, NULL FROM checkpoint_brokers WHERE in_controlled_shutdown
)
GROUP BY broker_id
"""
"""Brokers that went away or were shutting down: what became of each in the words of its event."""

WHY_OFFLINE = "coalesce(fate, CASE WHEN is_leaving THEN 'controlled-shutdown' END, 'unknown')"
WHY_MOVED = f"""CASE
    WHEN NOT list_contains({is_now("replicas")}, {was("leader")}) THEN 'reassignment'
    WHEN fate IS NOT NULL OR is_leaving THEN {WHY_OFFLINE}
    WHEN {is_now("leader")} = {is_now("replicas")}[1] AND list_contains({is_now("isr")}, {was("leader")})
      THEN 'preferred-election'
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
