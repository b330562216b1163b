"""Topics whose id is gone from ZooKeeper while the disks still have it: harmless until the controller moves."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.instants import instant
from jobs.checks.parts.topic_ids import WITH_DISK_IDS
from schemas.judgement import Severity

_JUDGE = f"""
SELECT topic AS subject, topic_id IS NULL AND problem IS NULL AND len(disk_ids) = 1 AS is_hit, is_known,
  {{disk_topic_id: disk_ids[1], replicas_with_it: len(replicas_on_disk), znode_version: znode_version,
    data_version: data_version, znode_modified_at: {instant("modified_at")}}} AS evidence
FROM ({WITH_DISK_IDS})
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Do not move the controller. Reassign one partition of the topic to the replicas it has: that restores the id.",
    judge=_JUDGE,
    becomes="topic-id-mismatch",
)
"""No id in a well-formed znode, one id on the disks."""
