"""Topics whose id in the cluster differs from the one on disk: replicas cannot rejoin the ISR."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.topic_ids import WITH_DISK_IDS
from schemas.judgement import Severity

_JUDGE = f"""
SELECT topic AS subject, is_known,
  len(disk_ids) > 1 OR coalesce(disk_ids[1] <> topic_id, false) AS is_hit,
  {{cluster_topic_id: topic_id, disk_topic_ids: disk_ids, replicas: [
    'partition ' || each.partition || ' on broker ' || each.broker_id
    FOR each IN replicas_on_disk IF each.topic_id IS DISTINCT FROM topic_id
  ], data_version: data_version}} AS evidence
FROM ({WITH_DISK_IDS})
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Restart no broker. In ZooKeeper mode heal every topic-id-latent finding first, then put the id of the disks back "
        "into the znode, then elect a controller once."
    ),
    judge=_JUDGE,
)
"""Disks and cluster disagree on the id, or the disks among themselves."""
