"""Brokers that lead too few of the partitions that prefer them, and who leads them instead."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.instants import instant
from schemas.judgement import Severity

_DEFAULT_PERCENTAGE = 10
_DEFAULT_INTERVAL_S = 300
_SLACK_S = 60
"""Elections of many partitions take a while; an imbalance this much older than the interval was not mended."""

_NOBODY = (
    "No election helps now: the broker is not in the ISR of the partitions that prefer it. Bring it back in sync first; do "
    "not run a preferred leader election for it."
)
_BY_ITSELF = (
    "Wait: Kafka moves the leaders back by itself, every five minutes unless it was set otherwise. If the finding stays, "
    "read the controller's log."
)

_LEADERLESS = (
    "Run no preferred leader election: a partition has no leader though its preferred one is up and in the ISR. If that broker "
    "came back on an empty disk, the election would lead with nothing. See offline-partition first."
)

_PREFERENCES = """
SELECT leader, isr, replicas[1] AS broker_id, leader IS NOT NULL AND leader <> replicas[1] AS is_elsewhere,
  is_current AND NOT (leader IS NULL AND problem IS NOT NULL) AS is_known, read_at
FROM partitions ANTI JOIN (SELECT topic FROM topics WHERE deletion_pending) USING (topic)
"""

_SETTINGS = f"""
SELECT coalesce($allowed_percentage::INTEGER, min(TRY_CAST(value AS INTEGER)) FILTER (name = 'leader.imbalance.per.broker.percentage'), {_DEFAULT_PERCENTAGE})
    AS allowed_percentage,
  coalesce(max(TRY_CAST(value AS INTEGER)) FILTER (name = 'leader.imbalance.check.interval.seconds'), {_DEFAULT_INTERVAL_S})
    AS interval_s,
  bool_or(lower(value) = 'true') FILTER (name = 'auto.leader.rebalance.enable') AS is_automatic
FROM broker_settings
"""

_ELECTABLE_BEFORE = """
SELECT subject, coalesce((evidence::JSON->>'electable_since')::TIMESTAMPTZ, first_seen_at) AS electable_before
FROM findings_before WHERE check_id = 'leader-imbalance' AND status = 'open' AND evidence::JSON->>'electable_count' <> '0'
"""
"""Since when somebody could be elected: while the broker was down there was nothing to mend."""

_JUDGE = f"""
WITH preferences AS ({_PREFERENCES}),
leads AS (SELECT leader, count(*) AS leads_count FROM preferences WHERE leader >= 0 GROUP BY leader),
instead AS (
  SELECT broker_id, list('broker ' || leader || ' leads ' || instead_count || ' of them and ' || leads_count || ' in all'
    ORDER BY instead_count DESC, leader) AS led_by
  FROM (SELECT broker_id, leader, count(*) AS instead_count FROM preferences WHERE is_elsewhere GROUP BY ALL)
  JOIN leads USING (leader) GROUP BY broker_id
),
per_broker AS (
  SELECT broker_id, count(*) AS preferred_count, count(*) FILTER (is_elsewhere) AS led_elsewhere_count,
    count(*) FILTER (is_elsewhere AND leader >= 0 AND list_contains(isr, broker_id)) AS electable_count,
    count(*) FILTER (leader = -1 AND list_contains(isr, broker_id)) AS leaderless_count,
    bool_and(is_known) AS are_known, max(read_at) AS read_at
  FROM preferences WHERE broker_id IS NOT NULL GROUP BY broker_id
),
judged AS (
  SELECT *, 'broker ' || broker_id AS subject, registered.broker_id IS NOT NULL AS is_living,
    led_elsewhere_count * 100 > preferred_count * allowed_percentage AS is_hit,
    sum(leaderless_count) FILTER (registered.broker_id IS NOT NULL) OVER () > 0 AS one_is_leaderless,
    coalesce(are_known, true) AND (SELECT count(*) FILTER (broker_id IS NULL) = 0 FROM preferences)
      AND coalesce(registered.is_current, (SELECT bool_and(is_current) FROM brokers), true) AS is_known
  FROM (SELECT broker_id, is_current FROM brokers WHERE fenced IS NOT TRUE) AS registered
  FULL JOIN per_broker USING (broker_id) LEFT JOIN instead USING (broker_id) CROSS JOIN ({_SETTINGS})
)
SELECT subject, is_hit, is_known,
  CASE WHEN electable_count = 0 THEN 'info' WHEN NOT is_automatic THEN 'warning'
    WHEN epoch(read_at) - epoch(electable_since) > interval_s + {_SLACK_S} THEN 'warning' ELSE 'info' END AS severity,
  CASE WHEN one_is_leaderless THEN $leaderless WHEN electable_count = 0 THEN $nobody WHEN is_automatic THEN $by_itself END AS remedy,
  CASE WHEN NOT is_living THEN 'broker-down' END AS cause_check_id, CASE WHEN NOT is_living THEN subject END AS cause_subject,
  {{preferred_count: preferred_count, led_elsewhere_count: led_elsewhere_count, electable_count: electable_count,
    electable_since: {instant("electable_since")}, led_by: led_by[:10], allowed_percentage: allowed_percentage, is_automatic: is_automatic}} AS evidence
FROM (
  SELECT *, CASE WHEN electable_count > 0 THEN coalesce(electable_before, read_at) END AS electable_since
  FROM judged LEFT JOIN ({_ELECTABLE_BEFORE}) USING (subject)
)
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy="Run a preferred leader election (kafka-leader-election --election-type preferred) once the ISR is full.",
    judge=_JUDGE,
    values={
        "allowed_percentage": None,
        "leaderless": _LEADERLESS,
        "nobody": _NOBODY,
        "by_itself": _BY_ITSELF,
    },
)
"""As `KafkaController.checkAndTriggerAutoLeaderRebalance` counts it.

A partition without a leader counts as led elsewhere, one without a state does not. It is `info` while Kafka may still mend it
by itself and where no election could work, as while the broker is down. KRaft goes by no percentage: the controllers move
every leader that can be moved (`ReplicationControlManager.maybeBalancePartitionLeaders`), so that what is left above
the percentage says that they are set not to. An election takes a leaderless partition, too.

A malformed state does not say who leads: nothing is known of the broker that its partition prefers. A malformed topic does
not say whom its partitions prefer: nothing is known of any broker.
"""
