"""The questions a report asks the lake, as SQL over its views. Each is answered in one row type of `content`."""

from schemas.judgement import FindingStatus, Severity

SHOWN = 100
"""Rows of one group a report lists at most; the rest is counted, and is in the lake."""

_WORST_FIRST = [severity.value for severity in reversed(Severity)]

SNAPSHOTS = """
SELECT snapshot_id, captured_at, status, sources, varve_version
FROM snapshots ORDER BY snapshot_id DESC LIMIT 2
"""

COUNTS = """
SELECT (SELECT count(*) FROM topics) AS topics, (SELECT count(*) FROM partitions) AS partitions,
  (SELECT count(*) FROM brokers) AS brokers, (SELECT count(*) FROM quorum_members) AS members
"""

RESOLVED_FINDINGS = f"""
SELECT check_id, severity, subject, first_seen_at, changed_at AS resolved_at, became
FROM findings WHERE status = '{FindingStatus.RESOLVED}' ORDER BY changed_at DESC, check_id, subject LIMIT {SHOWN}
"""

IGNORED_FINDINGS = f"""
SELECT check_id, severity, subject, first_seen_at, ignored
FROM findings WHERE status = '{FindingStatus.OPEN}' AND ignored IS NOT NULL ORDER BY check_id, subject LIMIT {SHOWN}
"""

NEW_EVENTS = f"""
SELECT event, subject, from_value, to_value, reason, partitions_touched, since_at, captured_at, count(*) OVER (PARTITION BY event) AS alike
FROM events WHERE snapshot_id = (SELECT max(snapshot_id) FROM snapshots)
QUALIFY row_number() OVER (PARTITION BY event ORDER BY subject) <= {SHOWN}
ORDER BY event, regexp_replace(subject, '[0-9]+$', ''), try_cast(regexp_extract(subject, '[0-9]+$') AS BIGINT)
"""

LAST_EVENTS = """
SELECT event, subject, from_value, to_value, reason, partitions_touched, since_at, captured_at, 1 AS alike
FROM events ORDER BY snapshot_id DESC, event, subject LIMIT 50
"""

EXPECTATIONS = f"""
SELECT snapshot_id, table_name, expectation, severity, success, observed
FROM expectation_results
WHERE (table_name, snapshot_id) IN (SELECT (table_name, max(snapshot_id)) FROM expectation_results GROUP BY table_name)
ORDER BY table_name, success, list_position({_WORST_FIRST}, severity), expectation
"""

BROKERS = """
WITH held AS (
  SELECT broker_id, count(*) AS replicas,
    count(*) FILTER (NOT list_contains(coalesce(isr, []), broker_id)) AS out_of_sync
  FROM (SELECT replicas, isr, unnest(replicas) AS broker_id FROM partitions) GROUP BY ALL
), led AS (SELECT leader AS broker_id, count(*) AS leads FROM partitions WHERE leader >= 0 GROUP BY ALL)
SELECT coalesce(b.broker_id, held.broker_id) AS broker_id, b.broker_id IS NOT NULL AS is_registered,
  b.is_current, b.fenced, b.endpoints, b.rack, b.registered_at,
  coalesce(leads, 0) AS leads, coalesce(held.replicas, 0) AS replicas, coalesce(out_of_sync, 0) AS out_of_sync,
  b.problem
FROM brokers b FULL JOIN held ON held.broker_id = b.broker_id
LEFT JOIN led ON led.broker_id = coalesce(b.broker_id, held.broker_id) ORDER BY 1
"""

CONTROLLER = "SELECT controller_id, epoch, elected_at FROM controllers"

MEMBERS = """
SELECT m.node_id, m.directory_id, m.role, m.endpoints, m.is_current,
  m.node_id = (SELECT leader_id FROM quorum) AS leads, p.log_end_offset, p.lag, p.last_fetch_at
FROM quorum_members m LEFT JOIN quorum_progress p ON p.node_id = m.node_id
  AND p.directory_id IS NOT DISTINCT FROM m.directory_id
  AND p.snapshot_id = (SELECT max(snapshot_id) FROM quorum_progress)
ORDER BY m.role DESC, m.node_id, m.directory_id
"""

DRAWN = 500
"""Snapshots a picture shows at most, the newest."""

FIRST_DRAWN = f"SELECT min(snapshot_id) FROM (SELECT snapshot_id FROM snapshots ORDER BY snapshot_id DESC LIMIT {DRAWN})"

_WINDOW = f"(SELECT captured_at AS seen_at FROM snapshots ORDER BY snapshot_id DESC LIMIT {DRAWN})"

OFFLINE, UNDER_REPLICATED = "offline-partition", "under-replicated-partition"
"""The checks whose findings a picture counts."""

TROUBLE = f"""
WITH wrong AS (
  SELECT valid_from, valid_to, (check_id = '{OFFLINE}')::INT AS offline
  FROM findings_history WHERE status = '{FindingStatus.OPEN}' AND check_id IN ('{OFFLINE}', '{UNDER_REPLICATED}')
), steps AS (
  SELECT valid_from AS seen_at, offline, 1 - offline AS lacking FROM wrong
  UNION ALL SELECT valid_to, -offline, offline - 1 FROM wrong WHERE valid_to IS NOT NULL
  UNION ALL SELECT seen_at, 0, 0 FROM {_WINDOW}
)
SELECT DISTINCT seen_at, offline, lacking FROM (
  SELECT seen_at, (sum(offline) OVER (ORDER BY seen_at))::BIGINT AS offline, (sum(lacking) OVER (ORDER BY seen_at))::BIGINT AS lacking
  FROM steps
) WHERE seen_at IN (FROM {_WINDOW}) ORDER BY seen_at
"""
"""Partitions found offline and under-replicated at each snapshot, summed up from where findings opened and resolved."""

LEADERS = f"""
WITH led AS (SELECT leader, valid_from, valid_to FROM partitions_history WHERE leader >= 0),
steps AS (
  SELECT valid_from AS seen_at, leader, count(*) AS step FROM led GROUP BY ALL
  UNION ALL SELECT valid_to, leader, -count(*) FROM led WHERE valid_to IS NOT NULL GROUP BY ALL
  UNION ALL SELECT seen_at, leader, 0 FROM {_WINDOW} CROSS JOIN (SELECT DISTINCT leader FROM led)
)
SELECT DISTINCT seen_at, leader AS node_id, leads FROM (
  SELECT seen_at, leader, (sum(step) OVER (PARTITION BY leader ORDER BY seen_at))::BIGINT AS leads FROM steps
) WHERE seen_at IN (FROM {_WINDOW}) ORDER BY node_id, seen_at
"""

TERMS = f"""
SELECT valid_from AS seen_at, controller_id, epoch FROM controllers_history
WHERE valid_from > (SELECT min(seen_at) FROM {_WINDOW}) ORDER BY seen_at
"""
"""Controllers that were elected within the pictures' time."""

PROGRESS = f"""
SELECT captured_at AS seen_at, node_id, directory_id, lag, high_watermark FROM quorum_progress
WHERE snapshot_id IN (SELECT snapshot_id FROM snapshots ORDER BY snapshot_id DESC LIMIT {DRAWN})
ORDER BY node_id, directory_id, seen_at
"""
