"""Partitions whose leader lacks records that consumers could read before."""

from jobs.checks.parts.check import Check
from schemas.judgement import Severity

_KEPT_OPEN_S = 24 * 3600
"""A loss cannot be undone, but a new snapshot shows nothing of it. So long somebody may find it open."""


def _last_epoch(leader_epochs: str) -> str:
    return f"list_max(list_transform({leader_epochs}, lambda each: each.epoch))"


_REPLICAS = f"""
SELECT topic, partition, broker_id, path, dir_name, topic_id, leader_epochs, is_current,
  {_last_epoch("leader_epochs")} AS last_epoch
FROM disk_replicas WHERE kind = 'current'
"""

_WERE = f"""
SELECT topic, partition, broker_id, path, dir_name, topic_id, last_epoch
FROM replicas ANTI JOIN disk_replicas_changes USING (broker_id, path, dir_name)
UNION ALL
SELECT before.topic, before.partition, broker_id, path, dir_name, before.topic_id, {_last_epoch("before.leader_epochs")}
FROM disk_replicas_changes WHERE before.kind = 'current'
"""
"""The replicas as they were in the snapshot before."""

# The high watermark of a log dir is read before the epochs of its replicas: no record below it is of a newer epoch.
_HELD = """
SELECT each.topic, each.partition, broker_id, topic_id, last_epoch, high_watermark, true AS is_held_still
FROM replicas AS each JOIN disk_offsets USING (broker_id, path, dir_name)
WHERE each.is_current AND high_watermark > 0
UNION ALL
SELECT each.topic, each.partition, broker_id, topic_id, last_epoch, high_watermark, false
FROM were AS each JOIN disk_offsets_before USING (broker_id, path, dir_name) WHERE high_watermark > 0
"""
"""What replicas were known to hold, now and in the newest earlier snapshot: records up to the high watermark, of epochs up to
the last one."""

_DIVERGED = """
SELECT topic, partition, leader, held.broker_id, is_held_still, held.high_watermark AS lost_until,
  list_min(list_transform(list_filter(led.leader_epochs, lambda each: each.epoch > held.last_epoch),
    lambda each: each.start_offset)) AS lost_from
FROM partitions JOIN replicas AS led USING (topic, partition) JOIN held USING (topic, partition)
WHERE led.broker_id = leader AND partitions.is_current AND led.is_current AND led.topic_id = held.topic_id
  AND led.last_epoch > held.last_epoch AND lost_from < lost_until
  AND NOT (is_held_still AND list_contains(isr, held.broker_id))
"""
"""What the leader has from `lost_from` on is of newer epochs than what was committed there. A replica in sync may have read
its high watermark a moment before it wrote the new epoch down, so that what it has now proves nothing."""

_EMPTY = """
SELECT topic, partition, leader, held.broker_id, is_held_still, held.high_watermark AS lost_until, 0 AS lost_from
FROM partitions JOIN replicas AS led USING (topic, partition) JOIN held USING (topic, partition) JOIN topics USING (topic)
WHERE led.broker_id = leader AND partitions.is_current AND led.is_current AND topics.is_current
  AND len(led.leader_epochs) = 0 AND held.last_epoch IS NOT NULL AND topics.topic_id = held.topic_id
"""
"""The leader's file of epochs is empty, its own is not there yet: the log is just being made. There were records of this very topic."""

_WENT_BACK = """
SELECT topic, partition, now.leader, earlier.leader AS broker_id, false AS is_held_still,
  earlier.high_watermark AS lost_until, now.high_watermark AS lost_from
FROM admin_offsets AS now JOIN admin_offsets_before AS earlier USING (topic, partition) JOIN topics USING (topic)
JOIN (
  SELECT topic, max_by({topic_id: topic_id, czxid: czxid, op: op}, written_by) AS was FROM topics_history
  WHERE written_by <= (SELECT max(written_by) FROM admin_offsets_before) GROUP BY topic
) USING (topic)
WHERE now.high_watermark < earlier.high_watermark AND topics.is_current AND was.op <> 'delete'
  AND was.czxid IS NOT DISTINCT FROM topics.czxid AND (topics.czxid IS NOT NULL OR was.topic_id = topics.topic_id)
"""
"""What the leaders tell consumers. A new leader tells nothing before its high watermark has caught up (KIP-207)."""

_FRESH = """
SELECT topic, partition, {
    why: 'records gone', lost_from: min(lost_from), lost_until: max(lost_until), leader: any_value(lacking.leader),
    replicas: any_value(replicas),
    had_them: list(DISTINCT broker_id ORDER BY broker_id),
    still_on: coalesce(list(DISTINCT broker_id ORDER BY broker_id) FILTER (is_held_still), [])
  } AS lost
FROM lacking JOIN partitions USING (topic, partition) GROUP BY topic, partition
UNION ALL
SELECT topic, partition, {why: 'unclean election', lost_from: NULL, lost_until: NULL, leader: leader, replicas: replicas, had_them: [], still_on: []}
FROM partitions ANTI JOIN lacking USING (topic, partition)
WHERE recovering AND is_current
"""

_EARLIER = """
SELECT subject, evidence::JSON AS evidence FROM findings_before
WHERE check_id = 'data-lost' AND status = 'open'
  AND epoch(first_seen_at) > (SELECT max(epoch(read_at)) FROM partitions) - $kept_open_s
"""

_JUDGE = f"""
WITH replicas AS ({_REPLICAS}), were AS ({_WERE}), held AS ({_HELD}),
lacking AS ({_DIVERGED} UNION ALL {_EMPTY} UNION ALL {_WENT_BACK}),
fresh AS (SELECT topic || '-' || partition AS subject, to_json(lost) AS evidence FROM ({_FRESH})),
earlier AS ({_EARLIER})
SELECT subject, true AS is_hit, true AS is_known, evidence FROM fresh
UNION ALL
SELECT subject, true, true, evidence FROM earlier ANTI JOIN fresh USING (subject)
SEMI JOIN (SELECT topic || '-' || partition AS subject FROM partitions) USING (subject)
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=(
        "Start, stop and elect nothing yet. A broker of `replicas` that is down may have the records until it follows the new "
        "leader, one of `still_on` has them for sure: keep it from starting, and copy the partition's folder away first. Then "
        "tell those who own the data from which offset on."
    ),
    judge=_JUDGE,
    values={"kept_open_s": _KEPT_OPEN_S},
)
"""Records below an earlier high watermark that the leader does not have, of one topic id, and leaders elected unclean.

Retention, deleted records, followers that are cut and topics that are made again are none: a leader that was elected clean
begins its epoch at or above every high watermark of the epochs before. A finding stays open for a day.
"""
