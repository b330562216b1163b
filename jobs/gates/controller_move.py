"""`varve gate controller-move`: another controller may be elected."""

from collections.abc import Iterator

from jobs.gates.parts import quorum, topic_ids, whole
from jobs.gates.parts.asked import Asked
from jobs.gates.parts.gate import Gate

_SUCCESSORS = """
SELECT count(*) FROM brokers WHERE is_current AND NOT coalesce(fenced, false)
AND broker_id NOT IN (SELECT controller_id FROM controllers WHERE controller_id IS NOT NULL)
"""


def _rests_on(asked: Asked) -> tuple[str, ...]:
    more = quorum.RESTS_ON if asked.is_kraft else topic_ids.RESTS_ON
    return (*whole.rests_on(asked), *more)


def _reasons(asked: Asked) -> Iterator[str]:
    yield from whole.not_whole(asked)
    if asked.is_kraft:
        yield from quorum.voters_down(asked)
        yield from quorum.cannot_spare(asked, None)
        return
    yield from topic_ids.ids_at_risk(asked)
    if asked.rows(_SUCCESSORS) == [(0,)]:
        yield "0 other brokers are there to take over from the controller"


GATE = Gate(
    meaning="another controller may be elected, by a restart or by deleting /controller",
    rests_on=_rests_on,
    reasons=_reasons,
)
