"""Replicas that know a leader epoch which the cluster has not reached: the cluster's metadata went back."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import SETTLED
from schemas.judgement import Severity

_JUDGE = f"""
SELECT topic || '-' || partition AS subject, true AS is_hit, p.is_current AND bool_or(is_settled) AS is_known,
  {{leader_epoch: p.leader_epoch, replicas: list({{broker_id: broker_id, leader_epoch: leader_epochs[-1].epoch}}
    ORDER BY broker_id)}} AS evidence
FROM ({SETTLED}) AS d JOIN partitions AS p USING (topic, partition) JOIN topics AS t USING (topic)
WHERE kind = 'current' AND list_contains(p.replicas, broker_id) AND leader_epochs[-1].epoch > p.leader_epoch
  AND coalesce(d.topic_id = t.topic_id, true) AND t.deletion_pending IS NOT TRUE
GROUP BY topic, partition, p.leader_epoch, p.is_current
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Restart no broker and elect no leader. Find out whether the metadata was restored from a backup or rewritten: brokers "
        "refuse leaders of an epoch that is lower than the one they know."
    ),
    judge=_JUDGE,
)
"""An epoch on a disk, which an earlier snapshot found there already, is higher than the one the cluster says now.

An epoch only grows in the life of one topic, so that this is no matter of the order in which the two were read.
"""
