"""Partitions that refuse writes with acks=all as soon as one more replica falls out of sync."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.replication import REPLICATION, cause
from schemas.judgement import Severity

_JUDGE = f"""
SELECT subject, leader >= 0 AND offline_why IS NULL AND len(isr) = min_isr AND len(missing) > 0 AS is_hit,
  is_current AND problem IS NULL AS is_known,
  {{leader: leader, isr: isr, replicas: replicas, missing: missing, min_isr: min_isr,
    min_isr_is_assumed: min_isr_is_assumed}} AS evidence,
  {cause("missing", "missing_down", ("'under-replicated-partition'", "subject"))}
FROM ({REPLICATION}) WHERE NOT is_going AND (problem IS NOT NULL OR (len(isr) = min_isr AND len(missing) > 0))
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Do not restart a broker of `isr`: writes with acks=all would be refused. Bring the missing replicas back first."
    ),
    judge=_JUDGE,
)
"""`Partition.isAtMinIsr`, where replicas are missing: with a full ISR it is how the topic was made."""
