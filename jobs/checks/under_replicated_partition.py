"""Partitions with fewer in-sync replicas than assigned ones."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.lists import without
from schemas.judgement import Severity

_JUDGE = f"""
WITH compared AS (
  SELECT *, problem IS NOT NULL AS is_malformed, {without("replicas", "coalesce(adding, [])")} AS settled,
    {without("settled", "isr")} AS missing
  FROM partitions
)
SELECT topic || '-' || partition AS subject, true AS is_hit, is_current AND NOT is_malformed AS is_known,
  {{leader: leader, isr: isr, replicas: replicas, missing: missing}} AS evidence
FROM compared WHERE is_malformed OR (leader >= 0 AND len(missing) > 0)
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Find out why the missing replicas do not follow: broker down, disk, network, or a topic id mismatch.",
    judge=_JUDGE,
)
"""The ISR misses replicas that are not just being added; partitions without a leader are told apart.

Nothing is known where the partition's state or its topic's assignment is malformed.
"""
