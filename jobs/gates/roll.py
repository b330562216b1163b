"""`varve gate roll`: a broker may be restarted."""

from collections.abc import Iterator

from jobs.gates.parts import quorum, topic_ids, whole
from jobs.gates.parts.asked import Asked
from jobs.gates.parts.gate import Gate
from jobs.whatif.order import Restart, restart_order


def _rests_on(asked: Asked) -> tuple[str, ...]:
    tables = whole.rests_on(asked)
    if asked.is_kraft:
        return (*tables, *quorum.RESTS_ON)
    return (*tables, *topic_ids.RESTS_ON) if _moves_controller(_asked_for(asked)) else tables


def _reasons(asked: Asked) -> Iterator[str]:
    yield from whole.not_whole(asked)
    yield from whole.out_of_sync(asked)
    places = _asked_for(asked)
    if not places:
        yield (
            "0 brokers are registered" if asked.broker is None else f"broker {asked.broker} is not registered"
        )
    for place in places:
        if place.why_not:
            yield f"broker {place.broker_id}: {place.why_not}"
    if asked.is_kraft:
        yield from quorum.voters_down(asked)
        for place in places:
            yield from quorum.cannot_spare(asked, place.broker_id)
    elif _moves_controller(places):
        yield from topic_ids.ids_at_risk(asked)


def _asked_for(asked: Asked) -> list[Restart]:
    """The brokers that are to be restarted: one that is fenced only when it is named."""
    places = restart_order(asked.reader)
    if asked.broker is None:
        return [place for place in places if not place.is_fenced]
    return [place for place in places if place.broker_id == asked.broker]


def _moves_controller(places: list[Restart]) -> bool:
    return any(place.is_controller for place in places)


GATE = Gate(
    meaning="a broker may be restarted: that of --broker, else each of them, one after the other",
    rests_on=_rests_on,
    reasons=_reasons,
    takes_broker=True,
)
