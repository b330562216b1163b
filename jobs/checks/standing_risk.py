"""Topics that are made so that one failure makes them unavailable or costs data."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.replication import REPLICATION
from schemas.judgement import Severity

_INTERNAL = "('__consumer_offsets', '__transaction_state', '__share_group_state')"
"""`org.apache.kafka.common.internals.Topic.INTERNAL_TOPICS`: their replication follows from broker configs."""

_RACKS = """
SELECT broker_id, max_by(rack, written_by) AS rack FROM (
  SELECT broker_id, rack, '~' AS written_by FROM brokers UNION ALL SELECT broker_id, rack, written_by FROM brokers_history
) GROUP BY broker_id
"""
"""The rack of each broker, also of one that is down."""

_PARTITIONS = f"""
SELECT topic, replicas IS NULL OR len(settled) = 1 AS is_alone, len(settled) > 1 AND min_isr = len(settled) AS is_at_min_isr,
  len(settled) > 1 AND len(racks) = 1 AND in_racks = len(settled) AS is_in_one_rack,
  len(settled) AS replication_factor, min_isr, is_current AND problem IS NULL AS is_known
FROM ({REPLICATION}) LEFT JOIN (
  SELECT topic, partition, list(DISTINCT rack) AS racks, count(rack) AS in_racks
  FROM (SELECT topic, partition, unnest(replicas) AS broker_id FROM partitions)
  JOIN ({_RACKS}) USING (broker_id) GROUP BY ALL
) USING (topic, partition)
WHERE NOT is_going AND topic NOT IN {_INTERNAL}
"""

_JUDGE = f"""
SELECT topic AS subject, len(risks) > 0 AS is_hit, is_known, {{risks: risks, partitions: partitions,
    replication_factor: replication_factor, min_isr: min_isr}} AS evidence
FROM (
  SELECT topic, bool_and(is_known) AS is_known, min(replication_factor) AS replication_factor, min(min_isr) AS min_isr,
    count_if(is_alone OR is_at_min_isr OR (is_in_one_rack AND has_racks)) AS partitions,
    list_filter([
      CASE WHEN bool_or(is_alone) THEN 'one replica only' END,
      CASE WHEN bool_or(is_at_min_isr) THEN 'as many replicas as min.insync.replicas' END,
      CASE WHEN bool_or(is_in_one_rack AND has_racks) THEN 'all replicas in one rack' END
    ], lambda each: each IS NOT NULL) AS risks
  FROM ({_PARTITIONS}) CROSS JOIN (
    SELECT count(*) > 1 AS has_brokers, count(DISTINCT rack) > 1 AS has_racks FROM ({_RACKS})
  )
  WHERE has_brokers GROUP BY topic
)
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy=(
        "Nothing is wrong yet. Decide whether the topic may be unavailable while one broker or rack is away; if not, add "
        "replicas on other brokers and racks by a reassignment, while all brokers are up."
    ),
    judge=_JUDGE,
)
"""Replication factor 1, no more replicas than min.insync.replicas, or all replicas of a partition in one rack of several.

Kafka's internal topics and clusters of one broker are left out.
"""
