"""How many failures the metadata quorum survives, and which of its voters are lost or lag."""

from jobs.checks.parts.check import Check
from jobs.checks.parts.quorum import LEADER_NOW
from schemas.judgement import Severity

_SILENT_S = 10
"""A voter that has not fetched for so long is lost. A healthy one fetches twice a second."""
_BEHIND_S = 30
_BEHIND_RECORDS = 1000
"""A voter that was never caught up with this leader lags when it lacks so many: an idle leader appends two a second."""

_MEMBERS = f"""
SELECT members.node_id, role, members.is_current, members.node_id = leader_id AS leads, members.directory_id,
  coalesce(epoch(leader_now) - epoch(last_fetch_at) > $silent_s, last_fetch_at IS NULL AND leader_now IS NOT NULL)
    AS is_silent,
  coalesce(epoch(leader_now) - epoch(last_caught_up_at) > $behind_s, lag > $behind_records, false) AS is_behind,
  high_watermark IS NULL OR high_watermark >= 0 AS leader_is_settled
FROM quorum_members AS members
LEFT JOIN quorum_progress AS progress
  ON members.node_id = progress.node_id AND members.directory_id IS NOT DISTINCT FROM progress.directory_id
CROSS JOIN ({LEADER_NOW}) CROSS JOIN (SELECT leader_id FROM quorum)
"""
"""One row a member. The leader's high watermark is -1 until a majority has fetched from it: before that silence means nothing."""

_QUORUM = """
SELECT count(*) AS size, size // 2 + 1 AS majority,
  count(*) FILTER (leads OR NOT (is_silent OR is_behind)) AS sound,
  list(node_id ORDER BY node_id) AS voters,
  coalesce(list({node_id: node_id, directory_id: directory_id} ORDER BY node_id) FILTER (is_silent AND NOT leads), [])
    AS lost,
  coalesce(list(node_id ORDER BY node_id) FILTER (is_behind AND NOT is_silent AND NOT leads), []) AS lagging,
  bool_and(is_current) AS is_current, bool_and(leader_is_settled) AS leader_is_settled
FROM members WHERE role = 'voter'
"""

_WAITING = """
SELECT coalesce(list(node_id ORDER BY node_id), []) AS waiting FROM members
WHERE role = 'observer' AND NOT is_silent AND NOT is_behind AND node_id NOT IN (
  SELECT broker_id FROM brokers UNION SELECT broker_id FROM brokers_history UNION SELECT unnest(replicas) FROM partitions
)
"""

_JUDGE = f"""
WITH members AS ({_MEMBERS}), voters AS ({_QUORUM}), observers AS ({_WAITING})
SELECT 'quorum' AS subject, is_current AND leader_is_settled AS is_known,
  len(lost) > 0 OR len(lagging) > 0 OR size % 2 = 0 OR size < 3 AS is_hit,
  {{voters: voters, lost: lost, lagging: lagging, survives: greatest(sound - majority, 0),
    waiting: waiting, may_fail: sound > (size + 1) // 2}} AS evidence,
  CASE WHEN size = 1 THEN 'info' WHEN len(lost) > 0 AND sound <= majority THEN 'critical'
    WHEN len(lost) > 0 OR len(lagging) > 0 OR size < 3 THEN 'warning' ELSE 'info' END AS severity
FROM voters CROSS JOIN observers WHERE size > 0
"""

CHECK = Check(
    __file__,
    severity=Severity.WARNING,
    remedy=(
        "Restart no controller while a voter is lost: start the lost one with its own disk. Remove a voter only while more "
        "than half of all voters, the lost one counted, fetch or lead, and never a living one while another is lost."
    ),
    judge=_JUDGE,
    values={"silent_s": _SILENT_S, "behind_s": _BEHIND_S, "behind_records": _BEHIND_RECORDS},
)
"""One subject, `quorum`: a lost voter is a warning, and critical when the next failure takes the majority.

`survives` counts voters that fetch and keep up beyond the majority. `may_fail`: the majority stays even if a voter that
is added now fails at once. A quorum of one is a laboratory's or a small cluster's choice: `info`.
"""
