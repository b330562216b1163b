"""Partitions that refuse writes with acks=all: fewer replicas are in sync than such a write needs."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.replication import REPLICATION, cause
from schemas.judgement import Severity

_JUDGE = f"""
SELECT subject, leader >= 0 AND offline_why IS NULL AND len(isr) < min_isr AS is_hit,
  is_current AND problem IS NULL AS is_known,
  {{leader: leader, isr: isr, replicas: replicas, missing: missing, min_isr: min_isr,
    min_isr_is_assumed: min_isr_is_assumed}} AS evidence,
  {cause("missing", "missing_down", ("'topic-id-mismatch'", "topic"))}
FROM ({REPLICATION}) WHERE NOT is_going AND (problem IS NOT NULL OR len(isr) < min_isr)
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Bring the missing replicas back: find out which of their brokers is down, and start it with its original disks. Do "
        "not lower min.insync.replicas: what is acknowledged then may be on one disk only."
    ),
    judge=_JUDGE,
)
"""`Partition.isUnderMinIsr`: there is a leader, and the ISR is smaller than the effective min.insync.replicas."""
