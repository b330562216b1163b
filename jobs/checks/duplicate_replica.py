"""Replicas that lie in two log dirs of one broker: it does not start again."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import SETTLED
from schemas.judgement import Severity

_TWICE = """
SELECT broker_id, topic, partition FROM disk_replicas WHERE kind = 'current'
GROUP BY broker_id, topic, partition HAVING count(*) > 1
"""

_JUDGE = f"""
SELECT topic || '-' || partition || ' on broker ' || broker_id AS subject, true AS is_hit, bool_and(is_settled) AS is_known,
  {{directories: list(path || '/' || dir_name ORDER BY path, dir_name),
    leader_epochs: list(leader_epochs[-1] ORDER BY path, dir_name)}} AS evidence
FROM ({SETTLED}) SEMI JOIN ({_TWICE}) USING (broker_id, topic, partition) WHERE kind = 'current'
GROUP BY topic, partition, broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Do not restart this broker before one of the two directories is out of its log dir: find out first which one it "
        "uses. Move the other, do not delete it."
    ),
    judge=_JUDGE,
)
"""Two directories without a mark for one partition (`LogManager.loadLogs`), found so by an earlier snapshot too.

While a move between log dirs ends, one read may find the replica in both.
"""
