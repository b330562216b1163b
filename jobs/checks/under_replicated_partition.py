"""Partitions with fewer in-sync replicas than assigned ones."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.lists import without
from jobs.checks.parts.replication import REPLICATION, cause
from schemas.judgement import Severity

_JUDGE = f"""
SELECT subject, true AS is_hit, is_current AND problem IS NULL AS is_known,
  {{leader: leader, isr: isr, replicas: replicas, missing: missing}} AS evidence,
  {cause("missing", "missing_down", ("'topic-id-mismatch'", "topic"))}
FROM ({REPLICATION})
WHERE NOT is_going AND (problem IS NOT NULL OR (leader >= 0 AND offline_why IS NULL
  AND (len(isr) < len(settled) OR len({without("missing", "coalesce(removing, [])")}) > 0)))
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Find out why the missing replicas do not follow: broker down, disk, network, or a topic id mismatch.",
    judge=_JUDGE,
)
"""The ISR misses replicas that are neither just being added nor, where it is as large as it should be, being removed.

Partitions without a leader are told apart, and topics that are being deleted are left out. Nothing is known where the
partition's state or its topic's assignment is malformed.
"""
