"""Each partition with what decides whether it can be read and written: what several checks ask of the partitions."""

from jobs.checks.parts.brokers import LIVING
from jobs.checks.parts.lists import without

_OF_TOPIC = """
SELECT entity AS topic, max(TRY_CAST(value AS INTEGER)) AS min_isr FROM configs
WHERE scope = 'topic' AND name = 'min.insync.replicas' GROUP BY entity
"""
_OF_LEADER = """
SELECT broker_id AS leader, TRY_CAST(value AS INTEGER) AS min_isr FROM broker_settings WHERE name = 'min.insync.replicas'
"""
_OF_ALL = """
SELECT coalesce(max(min_isr) FILTER (is_told), max(min_isr)) AS min_isr FROM (
  SELECT TRY_CAST(value AS INTEGER) AS min_isr, true AS is_told FROM broker_settings WHERE name = 'min.insync.replicas'
  UNION ALL
  SELECT TRY_CAST(value AS INTEGER), false FROM configs WHERE scope = 'broker' AND name = 'min.insync.replicas'
)
"""
_WITH_FAILED_LOG_DIR = (
    "SELECT coalesce(list(DISTINCT broker_id), []) AS ids FROM admin_log_dirs WHERE error IS NOT NULL"
)
_ASSUMED = 1
"""Kafka's default of min.insync.replicas."""

_WITH_SETTINGS = f"""
SELECT each.*, living.ids AS living, failed.ids AS failed, coalesce(topics.deletion_pending, false) AS is_going,
  {without("each.replicas", "coalesce(each.adding, [])")} AS settled,
  coalesce(of_topic.min_isr, of_leader.min_isr, of_all.min_isr) AS told_min_isr
FROM partitions AS each CROSS JOIN ({LIVING}) AS living LEFT JOIN topics USING (topic)
LEFT JOIN ({_OF_TOPIC}) AS of_topic USING (topic) LEFT JOIN ({_OF_LEADER}) AS of_leader USING (leader)
CROSS JOIN ({_OF_ALL}) AS of_all CROSS JOIN ({_WITH_FAILED_LOG_DIR}) AS failed
"""

REPLICATION = f"""
SELECT *, topic || '-' || partition AS subject, {without("settled", "isr")} AS missing,
  {without("missing", "living")} AS missing_down, {without("isr", "living")} AS isr_down,
  least(coalesce(told_min_isr, {_ASSUMED}), len(settled)) AS min_isr, told_min_isr IS NULL AS min_isr_is_assumed,
  CASE WHEN is_going THEN NULL WHEN leader = -1 THEN 'no-leader' WHEN problem IS NOT NULL THEN NULL
    WHEN partition_epoch IS NOT NULL AND leader >= 0 AND NOT list_contains(living, leader) THEN 'dead-leader'
    WHEN leader IS NULL AND NOT list_has_any(living, replicas) THEN 'never-elected'
  END AS offline_why
FROM ({_WITH_SETTINGS})
"""
"""The rows of `partitions`, and of each:

- `subject`; `is_going`: its topic is being deleted;
- `settled`: the replicas that are not just being added, which is what Kafka counts as the replication factor;
- `missing`: those of them outside the ISR; `missing_down`: those of `missing` whose broker is not registered, or fenced;
  `isr_down`: such brokers in the ISR;
- `failed`: the brokers of the cluster with a log dir that has failed;
- `min_isr`: how many in-sync replicas a write with acks=all needs: the topic's own min.insync.replicas, else that of its
  leader, else of the other brokers, else Kafka's default, which `min_isr_is_assumed` tells. Never above the number of
  replicas (`Partition.effectiveMinIsr`);
- `offline_why`: why nobody can read or write it, null where somebody can. `no-leader`; `dead-leader`: the leader is not
  registered, told by ZooKeeper only, where brokers and state are seen at one instant; `never-elected`: it was created
  while none of its brokers was there.
"""


def cause(missing: str, down: str, otherwise: tuple[str, str]) -> str:
    """SQL: the columns of the cause of a finding that replicas are missing.

    Where every one of `missing` is in `down`, it is the first of those brokers. Where one of them has a failed log dir, it is
    that. Else it is the check and the subject in `otherwise`.
    """
    is_down = f"len({missing}) > 0 AND len({missing}) = len({down})"
    has_failed = f"list_has_any({missing}, failed)"
    first_failed = f"list_filter({missing}, lambda each: list_contains(failed, each))[1]"
    check_id, subject = otherwise
    return (
        f"CASE WHEN {is_down} THEN 'broker-down' WHEN {has_failed} THEN 'failed-log-dir' ELSE {check_id} END "
        f"AS cause_check_id, CASE WHEN {is_down} THEN 'broker ' || {down}[1] "
        f"WHEN {has_failed} THEN 'broker ' || {first_failed} ELSE {subject} END AS cause_subject"
    )
