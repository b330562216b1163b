"""Clusters without a working controller: none is elected, it is no living broker, or it does not act."""

from jobs.checks.parts.brokers import LIVING
from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_GONE = """
SELECT broker_id FROM brokers_history GROUP BY broker_id
HAVING max_by(op = 'delete' OR fenced IS TRUE, written_by)
"""
"""Brokers that an earlier snapshot saw gone or fenced already. Where they are still, the controller has had its time."""

_UNSERVED = f"""
SELECT coalesce(list(DISTINCT leader ORDER BY leader), []) AS unserved FROM partitions
JOIN ({_GONE}) AS gone ON gone.broker_id = leader
LEFT JOIN topics USING (topic)
CROSS JOIN living
WHERE partitions.is_current AND deletion_pending IS NOT TRUE AND NOT list_contains(living.ids, leader)
"""
"""Brokers that are gone for longer than a snapshot and lead partitions all the same: nobody elected another leader."""

_SEEN = """
SELECT count(*) > 0 AS are_there, coalesce(bool_or(is_current), false) AS are_current,
  coalesce(bool_or(session IS NOT NULL), false) AS is_zookeeper
FROM brokers
"""

_CONTROLLER = """
SELECT any_value(controller_id) AS controller_id, any_value(epoch) AS epoch, count(*) > 0 AS is_named,
  coalesce(bool_and(is_current), true) AS is_current, coalesce(any_value(kraft_epoch), -1) >= 0 AS is_migrating
FROM controllers
"""

_JUDGE = f"""
WITH living AS ({LIVING}), unserved AS ({_UNSERVED}), brokers_seen AS ({_SEEN}), ruler AS ({_CONTROLLER}),
leaders AS (SELECT count(*) > 0 AS has_quorum, coalesce(bool_and(is_current), true) AS quorum_is_current FROM quorum),
before AS (SELECT coalesce(max_by(op = 'delete', written_by), false) AS was_gone FROM controllers_history),
of_api AS (SELECT coalesce(bool_or(controller_id < 0), false) AS names_none FROM admin_cluster),
judged AS (
  SELECT *, CASE
      WHEN has_quorum AND NOT quorum_is_current THEN 'quorum does not answer'
      WHEN has_quorum AND controller_id < 0 THEN 'quorum has no leader'
      WHEN NOT is_named AND NOT has_quorum AND (is_zookeeper OR names_none) THEN 'none is elected'
      WHEN len(unserved) > 0 THEN 'does not act'
      WHEN is_zookeeper AND NOT is_migrating AND controller_id IN ({_GONE}) AND NOT list_contains(living.ids, controller_id)
        THEN 'no living broker'
    END AS state
  FROM ruler CROSS JOIN living CROSS JOIN unserved CROSS JOIN brokers_seen CROSS JOIN leaders CROSS JOIN before CROSS JOIN of_api
)
SELECT 'controller' AS subject, state IS NOT NULL AS is_hit,
  are_current AND (is_current OR coalesce(state = 'quorum does not answer', false)) AS is_known,
  {{state: state, controller_id: controller_id, epoch: epoch, leads_though_gone: unserved}} AS evidence,
  if(state = 'none is elected' AND NOT was_gone, 'warning', NULL) AS severity
FROM judged WHERE are_there
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Ask again first: an election takes seconds. Restart no broker while no controller works: its partitions would stay "
        "without a leader. Under KRaft bring back voters of the quorum with their own disks."
    ),
    judge=_JUDGE,
)
"""One subject, `controller`. `state` says what is proven:

- `none is elected`: ZooKeeper has no `/controller`, or DescribeCluster names none; a warning until a second snapshot sees it;
- `no living broker`: `/controller` names a broker that an earlier snapshot saw gone already;
- `does not act`: a broker that an earlier snapshot saw gone already still leads partitions (`leads_though_gone`);
- `quorum does not answer`: brokers answer, and neither they nor the controllers reach a leader of the quorum;
- `quorum has no leader`: a member says that there is none.
"""
