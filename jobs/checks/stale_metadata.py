"""Brokers that name leaders who are not the leaders any more, and so lead clients astray."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_JUDGE = """
WITH views AS (
  SELECT *, leader_epoch > reference_leader_epoch OR reference_leader_epoch IS NULL AS is_reference_older
  FROM broker_views WHERE topic IS NOT NULL
), stale AS (
  SELECT is_current, topic || '-' || partition AS subject,
    CASE WHEN is_reference_older THEN reference_id ELSE broker_id END AS broker_id,
    CASE WHEN is_reference_older THEN broker_id ELSE reference_id END AS other_id,
    CASE WHEN is_reference_older THEN {leader: reference_leader, leader_epoch: reference_leader_epoch}
      ELSE {leader: leader, leader_epoch: leader_epoch} END AS says,
    CASE WHEN is_reference_older THEN {leader: leader, leader_epoch: leader_epoch}
      ELSE {leader: reference_leader, leader_epoch: reference_leader_epoch} END AS other_says
  FROM views
)
SELECT 'broker ' || broker_id AS subject, true AS is_hit, bool_and(is_current) AS is_known,
  {for_example: min(subject), says: arg_min(says, subject), broker_that_knows_better: arg_min(other_id, subject),
    it_says: arg_min(other_says, subject)} AS evidence
FROM stale GROUP BY broker_id
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Ask the broker itself and another one for the partition, and find out why the broker does not hear the "
        "controller: its network, or under KRaft how far it is in the metadata log. Delete no /controller for this."
    ),
    judge=_JUDGE,
)
"""Two brokers differ (`broker_views`), also when they are asked again: the one with the lower leader epoch is stale."""
