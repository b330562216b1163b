"""Log dirs whose meta.properties name another cluster, another node, or a directory id that is taken."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.disks import shown
from schemas.judgement import Severity

_CLASHES = """
WITH expected AS (SELECT cluster_id, is_current FROM cluster_id WHERE cluster_id IS NOT NULL),
doubled AS (
  SELECT directory_id, count(*) AS times FROM log_dirs WHERE is_current AND directory_id IS NOT NULL GROUP BY directory_id
)
SELECT broker_id, log_dirs.is_current AND coalesce(expected.is_current, true) AS is_known, unnest([
  CASE WHEN log_dirs.cluster_id <> expected.cluster_id
    THEN path || ': cluster.id ' || log_dirs.cluster_id || ' instead of ' || expected.cluster_id END,
  CASE WHEN node_id <> broker_id THEN path || ': node id ' || node_id || ' instead of ' || broker_id END,
  CASE WHEN times > 1 THEN path || ': directory.id ' || directory_id || ' is in ' || times || ' log dirs' END
]) AS clash
FROM log_dirs LEFT JOIN expected ON true LEFT JOIN doubled USING (directory_id)
"""

_JUDGE = f"""
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_or(is_known) AS is_known,
  {{clashes: {shown("clash", "is_known")}}} AS evidence
FROM ({_CLASHES}) WHERE clash IS NOT NULL GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Do not restart this broker, and do not edit meta.properties: find out first whose disk is mounted there, and "
        "whether varve.yaml names the right broker for it."
    ),
    judge=_JUDGE,
)
"""What `MetaPropertiesEnsemble.verify` refuses at a start; files of version 0 may lack the cluster's id."""
