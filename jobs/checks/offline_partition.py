"""Partitions without a living leader: nobody can read or write them."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.lists import without
from jobs.checks.parts.replication import REPLICATION, cause
from schemas.judgement import Severity

_ORIGINAL_DISKS = (
    "Start a broker of `isr`, or where that is empty of `eligible_leader_replicas` or `last_known_elr`, but only with "
    "its original disks: check first that its log dir still holds this partition. On an empty disk it is elected too, "
    "and the other replicas are cut to nothing."
)
_LIVES = (
    "A broker of `isr` is up and does not lead. If it came back on an empty disk, stop it now: any election or restart, and under "
    "KRaft the next automatic election, makes it lead, and the other replicas are cut to nothing. Else read its log for "
    "this partition: its log dir may have failed, or it refuses the topic id. Do not restart it before you know."
)
_CONTROLLER = (
    "The leader is gone and the controller has not elected another, though a broker of `isr` is up. See whether there is a "
    "controller and read its log. Restart no broker of `isr`."
)
_NEVER_ELECTED = (
    "Start a broker of `replicas`, with its original disks: other partitions may need what is on them. This one was created "
    "while all its brokers were down and has never held a record."
)

_LAST_ONES = "nullif(isr, []), nullif(eligible_leader_replicas, []), nullif(last_known_elr, [])"
"""The first of these that is there can lead."""

_IS_BEING_ELECTED = "coalesce(len(isr_down) < len(isr) AND list_has_any(list_concat(missing_down, isr_down), gone_now.ids), false)"
"""A broker left since the last snapshot, and others of the ISR are alive: the controller may be about to elect one of them."""

_JUDGE = f"""
SELECT subject, offline_why IS NOT NULL AS is_hit, is_current AND (leader IS NOT NULL OR problem IS NULL) AND NOT {_IS_BEING_ELECTED} AS is_known,
  {{why: replace(offline_why, '-', ' '), leader: leader, isr: isr, eligible_leader_replicas: eligible_leader_replicas,
    last_known_elr: last_known_elr, replicas: replicas, replicas_without_broker: {without("replicas", "living")},
    offline_replicas: offline_replicas}} AS evidence,
  CASE WHEN offline_why = 'never-elected' THEN $never_elected WHEN len(isr_down) = len(isr) THEN $original_disks
    WHEN offline_why = 'dead-leader' THEN $controller ELSE $lives END AS remedy,
  {cause("can_lead", "can_lead_down", ("'topic-id-mismatch'", "topic"))}
FROM (
  SELECT *, coalesce({_LAST_ONES}, replicas) AS can_lead, {without("can_lead", "living")} AS can_lead_down
  FROM ({REPLICATION})
) CROSS JOIN (SELECT coalesce(list(broker_id), []) AS ids FROM brokers_changes) AS gone_now
WHERE NOT is_going AND (offline_why IS NOT NULL OR (leader IS NULL AND problem IS NOT NULL))
"""

CHECK = Check(
    __file__,
    severity=Severity.CRITICAL,
    remedy=_ORIGINAL_DISKS,
    judge=_JUDGE,
    values={
        "never_elected": _NEVER_ELECTED,
        "original_disks": _ORIGINAL_DISKS,
        "controller": _CONTROLLER,
        "lives": _LIVES,
    },
)
"""No leader, a leader that is no living broker, or none ever elected; see `offline_why` of `REPLICATION`.

A topic that is being deleted is left out: Kafka takes its partitions offline itself. Whether there is a leader is not known
where the partition's state is malformed.
"""
