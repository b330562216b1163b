"""Where Kafka may elect a leader that lacks acknowledged records, without asking anybody."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_JUDGE = """
SELECT entity AS subject, true AS is_hit, configs.is_current AS is_known,
  {setting: name, replication_factor: replication_factor, source: 'the topic''s own config'} AS evidence
FROM configs JOIN topics ON topics.topic = entity
WHERE scope = 'topic' AND name = 'unclean.leader.election.enable' AND lower(value) = 'true'
  AND replication_factor > 1 AND deletion_pending IS NOT TRUE
UNION ALL
SELECT 'broker ' || broker_id, true, is_current, {setting: name, replication_factor: NULL, source: source}
FROM broker_settings WHERE name = 'unclean.leader.election.enable' AND lower(value) = 'true'
UNION ALL
SELECT 'broker ' || entity, true, is_current, {setting: name, replication_factor: NULL, source: 'dynamic config'}
FROM configs WHERE scope = 'broker' AND name = 'unclean.leader.election.enable' AND lower(value) = 'true'
  AND entity NOT IN (SELECT broker_id::VARCHAR FROM broker_settings)
  AND (entity <> '<default>' OR NOT EXISTS (SELECT 1 FROM broker_settings))
"""

CHECK = Check(
    __file__,
    severity=Severity.INFO,
    remedy=(
        "Decide whether this data may be lost. If not, set unclean.leader.election.enable to false while every partition has "
        "its full ISR."
    ),
    judge=_JUDGE,
)
"""`unclean.leader.election.enable` is true for a topic of several replicas, or for all topics of a broker.

A value of `<default>` counts by itself only where no broker was asked for what it goes by.
"""
