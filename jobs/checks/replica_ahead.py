"""Replicas that know a leader epoch which the cluster has not reached: the cluster's metadata went back."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import SETTLED
from schemas.judgement import Severity

_CLUSTER = """
SELECT count(*) > 0 AS is_kraft, coalesce(bool_and(is_current AND leader_id >= 0), true) AS is_led FROM quorum
"""

_SEEN = f"""
SELECT topic, partition, max(leader_epoch) AS leader_epoch FROM broker_views SEMI JOIN ({_CLUSTER}) ON is_kraft
WHERE topic IS NOT NULL GROUP BY topic, partition
"""
"""What any broker knows under KRaft; the one whose partitions are read may lag behind."""

_JUDGE = f"""
SELECT topic || '-' || partition AS subject, true AS is_hit, p.is_current AND is_led AND bool_or(is_settled) AS is_known,
  {{leader_epoch: p.leader_epoch, replicas: list({{broker_id: broker_id, leader_epoch: leader_epochs[-1].epoch}}
    ORDER BY broker_id)}} AS evidence
FROM ({SETTLED}) AS d JOIN partitions AS p USING (topic, partition) JOIN topics AS t USING (topic)
CROSS JOIN ({_CLUSTER}) LEFT JOIN ({_SEEN}) AS seen USING (topic, partition)
WHERE kind = 'current' AND list_contains(p.replicas, broker_id) AND leader_epochs[-1].epoch > greatest(p.leader_epoch, seen.leader_epoch)
  AND coalesce(d.topic_id = t.topic_id, true) AND t.deletion_pending IS NOT TRUE
GROUP BY topic, partition, p.leader_epoch, p.is_current, is_led
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

An epoch only grows in the life of one topic, so that this is no matter of the order in which the two were read. Brokers that
hear no leader of their quorum say what was so when they last did: then nobody knows.
"""
