"""Partitions without a leader: nobody can read or write them."""

from jobs.checks.parts.brokers import LIVING
from jobs.checks.parts.check import Check
from jobs.checks.parts.lists import without
from schemas.judgement import Severity

_JUDGE = f"""
WITH living AS ({LIVING}), deletion AS (SELECT topic, coalesce(deletion_pending, false) AS is_going FROM topics),
without_leader AS (
  SELECT *, leader IS NULL AND problem IS NOT NULL AS is_malformed FROM partitions WHERE leader = -1 OR is_malformed
)
SELECT topic || '-' || partition AS subject, NOT coalesce(is_going, false) AS is_hit, is_current AND NOT is_malformed AS is_known,
  {{leader: leader, isr: isr, eligible_leader_replicas: eligible_leader_replicas, last_known_elr: last_known_elr,
    replicas: replicas, replicas_without_broker: {without("replicas", "living.ids")}}} AS evidence
FROM without_leader LEFT JOIN deletion USING (topic) CROSS JOIN living
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Start a broker of `isr`, or where that is empty of `eligible_leader_replicas` or `last_known_elr`, but only with "
        "its original disks: check first that its log dir still holds this partition. On an empty disk it is elected too, "
        "and the other replicas are cut to nothing."
    ),
    judge=_JUDGE,
)
"""`leader -1`, unless the topic is being deleted (then Kafka takes its partitions offline itself).

Whether there is a leader is not known where the partition's state is malformed.
"""
