"""Where ZooKeeper and KRaft differ while a migration writes to both (KIP-866)."""

from jobs.checks.parts.both_sides import DIFFERENCES, MOVED
from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_SHOWN = 20
_LEFT = "INTERVAL 1 DAY"
"""Kafka writes `/migration` twice a second. Where it has not for so long, the migration is finished or was given up."""

_WRITING = f"""
SELECT coalesce(metadata_offset >= (
    SELECT max(high_watermark) - 1 FROM quorum_progress_before
    WHERE written_by IN (SELECT written_by FROM snapshots_before)
  ), false) AS has_caught_up
FROM migration CROSS JOIN znodes CROSS JOIN admin_cluster
WHERE path = '/migration' AND is_copied AND migration.is_current AND admin_cluster.is_current
  AND mtime > znodes.read_at - {_LEFT}
"""
"""One row while both are written. `has_caught_up`: ZooKeeper has all that KRaft had in the snapshot before."""

_HIDDEN = " OR ".join(
    f"source = '{source}' AND (starts_with({place} || '/', rtrim(scope, '/') || '/') OR starts_with(scope, {place} || '/'))"
    for source, place in (("zookeeper", "znode"), ("kafka", "place"))
)

_JUDGE = f"""
WITH settled AS (
  SELECT *, has_caught_up AND znode NOT IN (SELECT path FROM znodes_changes) AND subject NOT IN ({MOVED})
    AND NOT EXISTS (SELECT 1 FROM coverage_gaps WHERE {_HIDDEN}) AS is_settled
  FROM ({DIFFERENCES}) CROSS JOIN ({_WRITING})
)
SELECT subject, true AS is_hit, bool_or(is_settled) AS is_known,
  {{differences: (list({{what: what, zookeeper: zookeeper, kafka: kafka, znode: znode}} ORDER BY what)
    FILTER (is_settled))[:{_SHOWN}]}} AS evidence
FROM settled GROUP BY subject
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "KRaft's side counts. Do not go back to ZooKeeper while they differ: what ZooKeeper has would count then. Find out who "
        "wrote the znode; what they wanted has to be set through Kafka's API, which writes the znode anew."
    ),
    judge=_JUDGE,
    only_with="migration",
)
"""What differed in two snapshots, between which ZooKeeper got all that KRaft had in the first, and nobody touched it.

Where ZooKeeper lags, or something of it moves, or either side was not seen, nothing is known.
"""
