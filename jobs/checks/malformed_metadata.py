"""Files on a disk, and znodes, that Kafka cannot read: a broker does not start over them, or loses a log dir."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import shown
from schemas.judgement import Severity

_FATAL = (
    "meta.properties: %",
    "__cluster_metadata-0/quorum-state: %",
    "%-offset-checkpoint: %",
)
"""How the problems of a log dir begin that Kafka minds; it makes a missing meta.properties itself, or asks for a format."""

_FILES = f"""
SELECT broker_id, path || '/' || dir_name || ': ' || problem AS told, is_current FROM disk_replicas
WHERE problem IS NOT NULL
  AND (problem NOT LIKE 'directory name: %' OR broker_id IN (SELECT unnest(replicas) FROM partitions))
UNION ALL
SELECT broker_id, path || '/' || each AS told, is_current
FROM (SELECT broker_id, path, is_current, unnest(string_split(problem, '; ')) AS each FROM log_dirs)
WHERE {" OR ".join(f"each LIKE '{start}'" for start in _FATAL)}
"""
"""A controller that is no broker does not mind what directories stand beside its metadata log."""

_ZNODES = """
SELECT topic AS subject, problem, is_current FROM topics WHERE problem IS NOT NULL
UNION ALL
SELECT topic || '-' || partition, problem, is_current FROM partitions
WHERE problem IS NOT NULL AND topic NOT IN (SELECT topic FROM topics WHERE problem IS NOT NULL)
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_or(is_current) AS is_known,
  {{files: {shown("told")}, malformed: count(*), problem: NULL::VARCHAR}} AS evidence
FROM ({_FILES}) GROUP BY broker_id
UNION ALL BY NAME
SELECT subject, true AS is_hit, is_current AS is_known,
  {{files: NULL::VARCHAR[], malformed: NULL::BIGINT, problem: problem}} AS evidence,
  'Do not restart or move the controller. Find out who wrote the znode, and put back what stood there: see the runbook.'
    AS remedy
FROM ({_ZNODES})
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Do not restart this broker: a running one has read these files long ago. Copy the whole directories aside, then "
        "mend each file while the broker is stopped: see the runbook."
    ),
    judge=_JUDGE,
)
"""What `problem` says of `disk_replicas` and `log_dirs`, a finding a broker, and of topics and partitions.

What Kafka accepts has no problem, and `.kafka_cleanshutdown` counts by being there, whatever it holds.
"""
