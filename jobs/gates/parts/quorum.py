"""Whether a KRaft quorum can do without one of its voters."""

from collections.abc import Iterator

from jobs.gates.parts.asked import Asked
from jobs.wording import counted

RESTS_ON = ("quorum", "quorum_members", "quorum_progress")

_SILENT_S = 10
"""So many seconds after its last fetch a voter counts as down; `controller.quorum.fetch.timeout.ms` is 2 seconds."""
_VOTERS = """
SELECT node_id, node_id = (SELECT leader_id FROM quorum), log_end_offset,
  date_diff('second', last_fetch_at, max(last_fetch_at) OVER ())
FROM (SELECT node_id, directory_id FROM quorum_members WHERE role = 'voter') AS voter
LEFT JOIN (
  SELECT node_id AS its_id, directory_id AS its_directory, log_end_offset, last_fetch_at FROM quorum_progress
  WHERE snapshot_id = '{snapshot_id}'
) ON its_id = node_id AND its_directory IS NOT DISTINCT FROM directory_id
ORDER BY node_id
"""


def voters_down(asked: Asked) -> Iterator[str]:
    """Voters that do not fetch, or of which it is not known."""
    for node_id, is_leader, end_offset, seconds in _voters(asked):
        if is_leader:
            continue
        if end_offset is None or end_offset < 0 or seconds is None:
            yield f"voter {node_id} is not known to fetch"
        elif seconds > _SILENT_S:
            yield f"voter {node_id} is down: its last fetch was {seconds} seconds before the leader answered"


def cannot_spare(asked: Asked, node_id: int | None) -> Iterator[str]:
    """Why no majority is left without that voter, or without the leader."""
    voters = _voters(asked)
    without = next(
        (voter for voter, is_leader, *_ in voters if voter == node_id or (node_id is None and is_leader)),
        None,
    )
    left, majority = len(voters) - 1, len(voters) // 2 + 1
    if without is not None and left < majority:
        yield f"node {without} is one of {counted(len(voters), 'voter')}: without it {left} would be left, and {majority} are a majority"


def _voters(asked: Asked) -> list[tuple[int, bool, int | None, int | None]]:
    return [(*row,) for row in asked.rows(_VOTERS.format(snapshot_id=asked.snapshot_id))]
