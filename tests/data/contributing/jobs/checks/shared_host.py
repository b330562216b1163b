"""Machines that run more than one broker."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_JUDGE = """
SELECT 'host ' || host AS subject, count(*) > 1 AS is_hit, bool_and(is_current) AS is_known,
  {brokers: list(broker_id ORDER BY broker_id)} AS evidence
FROM hosts GROUP BY host
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Move one of the brokers to a machine of its own.",
    judge=_JUDGE,
)
"""More than one broker has the same host."""
