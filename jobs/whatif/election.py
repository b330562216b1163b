"""Who leads each partition when brokers go away, in DuckDB's SQL over the lake's tables.

ZooKeeper's controller (`kafka.controller.Election.leaderForOffline`, `PartitionLeaderElectionAlgorithms`) and the one of
KRaft (`PartitionChangeBuilder.electAnyLeader`) choose alike: a leader that stays goes on leading; else the first replica in the
order of the assignment that is alive and in the ISR; where nobody is left in the ISR the first that is eligible (KIP-966,
KRaft only); else, where `unclean.leader.election.enable` allows it, the first that is alive (under KRaft from Kafka 3.9 on).
A controlled shutdown ends in the same leaders and ISRs as a crash.
"""

from collections.abc import Collection
from enum import StrEnum


class Outcome(StrEnum):
    """What becomes of a partition, the worst first."""

    OFFLINE = "offline"
    """It has a leader and would have none."""
    UNCLEAN = "unclean-election"
    """A replica outside the ISR would lead: acknowledged records may be lost."""
    UNKNOWN = "unknown"
    """Its record is malformed, or the snapshot did not see it."""
    UNDER_MIN_ISR = "under-min-isr"
    """Writes with acks=all are accepted now and would be refused."""
    FURTHER_UNDER = "further-under-min-isr"
    """It is under min ISR now, and the ISR would shrink."""
    AT_MIN_ISR = "at-min-isr"
    """It would have exactly as many in-sync replicas as writes with acks=all need, and has more now."""
    LEADER_MOVES = "leader-moves"
    ISR_SHRINKS = "isr-shrinks"
    STAYS_OFFLINE = "stays-offline"
    """It has no leader now."""
    UNCHANGED = "unchanged"


EACH_BROKER = "SELECT broker_id AS scenario, broker_id FROM brokers"
"""One scenario a broker: it alone goes away."""

_SETTINGS = """
live AS (SELECT coalesce(list(broker_id), []) AS living FROM brokers WHERE NOT coalesce(fenced, false)),
of_topic AS (
  SELECT entity AS topic, max(try_cast(value AS INTEGER)) FILTER (name = 'min.insync.replicas') AS topic_min_isr,
    bool_or(lower(value) = 'true') FILTER (name = 'unclean.leader.election.enable') AS topic_is_unclean
  FROM configs WHERE scope = 'topic' GROUP BY entity
),
of_brokers AS (
  SELECT coalesce(max(effective) FILTER (is_told), max(effective)) AS brokers_min_isr,
    coalesce(bool_or(allowed) FILTER (is_told), bool_or(allowed)) AS brokers_are_unclean
  FROM (
    SELECT is_told, CASE WHEN name = 'min.insync.replicas' THEN try_cast(value AS INTEGER) END AS effective,
      CASE WHEN name = 'unclean.leader.election.enable' THEN lower(value) = 'true' END AS allowed
    FROM (
      SELECT name, value, true AS is_told FROM broker_settings
      UNION ALL SELECT name, value, false FROM configs WHERE scope = 'broker'
    )
  )
),
dead AS (
  SELECT topic, partition, offline_replicas FROM admin_partitions WHERE is_current AND len(offline_replicas) > 0
)"""

_STANDING = """
standing AS (
  SELECT each.topic, each.partition, each.replicas, coalesce(each.leader, -1) AS leader, coalesce(each.isr, []) AS isr,
    coalesce(each.eligible_leader_replicas, []) AS eligible,
    list_filter(each.replicas, lambda r: list_contains(living, r)
      AND NOT list_contains(coalesce(each.offline_replicas, dead.offline_replicas, []), r)) AS alive,
    least(coalesce(topic_min_isr, brokers_min_isr, 1), len(each.replicas)) AS min_isr,
    coalesce(topic_min_isr, brokers_min_isr) IS NULL AS is_min_isr_assumed,
    coalesce(topic_is_unclean, brokers_are_unclean, false) AS is_unclean_allowed,
    each.is_current AND each.problem IS NULL AND each.replicas IS NOT NULL AS is_known, each.adding, each.removing
  FROM partitions AS each CROSS JOIN live CROSS JOIN of_brokers
  LEFT JOIN of_topic USING (topic) LEFT JOIN dead USING (topic, partition) LEFT JOIN topics USING (topic)
  WHERE NOT coalesce(topics.deletion_pending, false)
)"""

_ELECTED = """
gone AS (SELECT scenario, list(broker_id) AS gone FROM away GROUP BY scenario),
touched AS (
  SELECT scenario, gone, standing.*, list_filter(alive, lambda r: NOT list_contains(gone, r)) AS staying,
    list_filter(isr, lambda r: NOT list_contains(gone, r)) AS isr_left
  FROM (SELECT *, unnest(replicas) AS replica FROM standing) AS standing
  JOIN away ON away.broker_id = replica JOIN gone USING (scenario)
  WHERE replica = list_filter(replicas, lambda r: list_contains(gone, r))[1]
),
candidates AS (
  SELECT *, list_contains(staying, leader) AS keeps_leader,
    list_filter(staying, lambda r: list_contains(isr, r))[1] AS in_sync,
    CASE WHEN len(isr_left) = 0 THEN list_filter(staying, lambda r: list_contains(eligible, r))[1] END AS is_eligible,
    CASE WHEN is_unclean_allowed THEN staying[1] END AS any_alive
  FROM touched
),
elected AS (
  SELECT *, CASE WHEN keeps_leader THEN leader ELSE coalesce(in_sync, is_eligible, any_alive, -1) END AS leader_after,
    CASE WHEN keeps_leader THEN NULL WHEN in_sync IS NOT NULL THEN 'clean' WHEN is_eligible IS NOT NULL THEN 'eligible'
      WHEN any_alive IS NOT NULL THEN 'unclean' ELSE 'none' END AS election
  FROM candidates
),
after AS (
  SELECT *, CASE WHEN election IN ('eligible', 'unclean') THEN [leader_after]
      WHEN election = 'clean' THEN list_filter(isr, lambda r: list_contains(staying, r))
      WHEN len(isr_left) > 0 OR len(isr) = 0 THEN isr_left
      WHEN len(isr) = 1 THEN isr END AS isr_after
  FROM elected
)"""

_OUTCOME = f"""CASE WHEN NOT is_known THEN '{Outcome.UNKNOWN}'
    WHEN leader < 0 AND leader_after < 0 THEN '{Outcome.STAYS_OFFLINE}'
    WHEN leader_after < 0 THEN '{Outcome.OFFLINE}'
    WHEN election = 'unclean' THEN '{Outcome.UNCLEAN}'
    WHEN len(isr_after) < min_isr AND len(isr) >= min_isr THEN '{Outcome.UNDER_MIN_ISR}'
    WHEN len(isr_after) < min_isr AND len(isr_after) < len(isr) THEN '{Outcome.FURTHER_UNDER}'
    WHEN len(isr_after) = min_isr AND len(isr) > min_isr THEN '{Outcome.AT_MIN_ISR}'
    WHEN leader_after <> leader THEN '{Outcome.LEADER_MOVES}'
    WHEN len(isr_after) < len(isr) THEN '{Outcome.ISR_SHRINKS}' ELSE '{Outcome.UNCHANGED}' END"""

PER_BROKER = (
    ("partitions_offline", "count_if(outcome = 'offline')"),
    ("partitions_unclean", "count_if(outcome = 'unclean-election')"),
    ("partitions_under_min_isr", "count_if(outcome IN ('under-min-isr', 'further-under-min-isr'))"),
    ("partitions_at_min_isr", "count_if(outcome = 'at-min-isr')"),
    ("leaders_moved", "count_if(list_contains(gone, leader) AND leader_after >= 0)"),
    ("partitions_unknown", "count_if(outcome = 'unknown')"),
)
"""What is counted of the partitions that have a replica on a broker."""


def away(brokers: Collection[int]) -> str:
    """One scenario, 0: all of these brokers go away at once."""
    values = ", ".join(f"(0, {broker_id})" for broker_id in sorted(brokers))
    return f"SELECT * FROM (VALUES {values}) AS away(scenario, broker_id)"


def standing() -> str:
    """SQL: each partition as it is, without those of topics that are being deleted.

    Columns: topic, partition, replicas, adding, removing, leader (-1 none), isr, alive (the replicas that can serve, in the
    order of the assignment), min_isr and is_min_isr_assumed as `elections` has them, is_known (seen, and not malformed).
    """
    return f"WITH {_SETTINGS}, {_STANDING} SELECT * FROM standing"


def elections(scenarios: str) -> str:
    """SQL: each partition that has a replica on a broker that goes away, once for each scenario.

    `scenarios` is SQL for (scenario, broker_id). Columns: scenario, gone, topic, partition, outcome, leader, leader_after
    (-1 none), election (clean, eligible, unclean, none; null where the leader stays), replicas, isr, isr_after (null where it
    depends on which broker goes last), min_isr (never above the number of replicas, as `Partition.effectiveMinIsr`) and
    whether it is assumed to be Kafka's default, because neither the topic nor a broker says it. Where brokers differ the
    strictest min ISR counts, and an unclean election that one of them allows. Topics that are being deleted are left out.
    Reads partitions, topics, brokers, configs, broker_settings and admin_partitions.
    """
    return (
        f"WITH away AS ({scenarios}), {_SETTINGS}, {_STANDING}, {_ELECTED} "
        f"SELECT scenario, gone, topic, partition, {_OUTCOME} AS outcome, leader, leader_after, election, replicas, isr, "
        "isr_after, min_isr, is_min_isr_assumed FROM after"
    )


def per_broker() -> str:
    """SQL: what each broker's absence alone would do: broker_id and the columns of `PER_BROKER`."""
    counts = ", ".join(f"{count} AS {name}" for name, count in PER_BROKER)
    filled = ", ".join(f"coalesce({name}, 0)::INTEGER AS {name}" for name, _ in PER_BROKER)
    return (
        f"SELECT broker_id, {filled} FROM brokers LEFT JOIN "
        f"(SELECT scenario AS broker_id, {counts} FROM ({elections(EACH_BROKER)}) GROUP BY scenario) USING (broker_id)"
    )
