"""Brokers that hold replicas and are not there."""

from jobs.checks.parts.brokers import FENCING_IS_TOLD
from jobs.checks.parts.check import Check
from jobs.checks.parts.lists import without
from jobs.checks.parts.replication import REPLICATION
from schemas.judgement import Severity

_OF_PARTITIONS = f"""
SELECT broker_id, count(*) AS holds, bool_or(is_current) AS is_seen,
  bool_or(partition_epoch IS NULL AND leader >= 0 AND list_contains(isr, broker_id)) AS is_in_sync,
  count_if(offline_why IS NOT NULL AND coalesce(len(isr_down) = len(isr), true) AND list_contains(last_ones, broker_id)) AS takes_offline,
  count_if(is_led AND len(isr) < min_isr AND list_contains(missing, broker_id)) AS takes_under_min_isr,
  count_if(is_led AND list_contains(missing, broker_id)) AS leaves_under_replicated
FROM (
  SELECT *, leader >= 0 AND offline_why IS NULL AS is_led, coalesce(nullif(list_concat(isr, coalesce(
      eligible_leader_replicas, [])), []), replicas) AS last_ones,
    unnest({without(without("settled", "coalesce(removing, [])"), "living")}) AS broker_id
  FROM ({REPLICATION}) WHERE NOT is_going
)
GROUP BY broker_id
"""
"""A row a broker that is not registered, or fenced, and holds replicas which it is to keep.

Over the Admin API brokers are asked for before partitions. One that registered in between is in an ISR already.
"""

_LAST_SEEN = """
SELECT broker_id, max_by({endpoints: endpoints, rack: rack}, written_by) AS last_seen FROM brokers_history GROUP BY broker_id
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit,
  coalesce(brokers_are_current, true) AND coalesce(is_seen AND NOT is_in_sync, true) AS is_known,
  CASE WHEN takes_offline > 0 OR takes_under_min_isr > 0 THEN 'critical' WHEN holds > 0 THEN 'warning' ELSE 'info' END AS severity,
  {{host: regexp_replace(coalesce(registered.endpoints, last_seen.endpoints)[1], '^.*://', ''),
    rack: coalesce(registered.rack, last_seen.rack), is_fenced: registered.broker_id IS NOT NULL OR if(the_cluster_tells, false, NULL),
    partitions: coalesce(holds, 0), partitions_offline: coalesce(takes_offline, 0),
    partitions_under_min_isr: coalesce(takes_under_min_isr, 0),
    partitions_under_replicated: coalesce(leaves_under_replicated, 0)}} AS evidence
FROM ({_OF_PARTITIONS})
FULL JOIN (SELECT broker_id, endpoints, rack FROM brokers WHERE fenced) AS registered USING (broker_id)
LEFT JOIN ({_LAST_SEEN}) USING (broker_id)
CROSS JOIN (SELECT bool_and(is_current) AS brokers_are_current FROM brokers) CROSS JOIN ({FENCING_IS_TOLD})
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Look at its host: is the process running, and if not, are all its log dirs mounted? Start it with its original "
        "disks only: on an empty disk it is elected for what it alone had in sync, and that is lost. A fenced broker may be "
        "starting already: do not restart it."
    ),
    judge=_JUDGE,
)
"""Not registered, or fenced. Critical where its absence takes partitions offline or under min ISR.

A broker whose replicas are all being moved away is left alone, and one that holds no replica counts only while it is
registered.
"""
