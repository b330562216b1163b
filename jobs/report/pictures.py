"""The pictures over time: which lines they show, and what the newest values are in words."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from markupsafe import Markup

from jobs.report.chart import COLOURS, Line, Mark, draw
from jobs.report.content import Counts, Past, Progress
from jobs.report.filters import counted, instant
from jobs.wording import printable

Row = TypeVar("Row")
_MARKS_NAMED = 8


@dataclass(frozen=True)
class Picture:
    """A drawing with its title and a sentence that says what it shows."""

    title: str
    caption: str
    svg: Markup


def pictures(past: Past, counts: Counts) -> list[Picture]:
    """The pictures there is something to draw for; none before the second snapshot."""
    of_partitions = [_trouble(past), _leaders(past)] if counts.partitions else []
    drawn = [*of_partitions, _lag(past), _high_watermark(past)]
    return [picture for picture in drawn if picture]


def _trouble(past: Past) -> Picture | None:
    if len(past.trouble) < 2:
        return None
    offline = Line("offline", [(each.seen_at, each.offline) for each in past.trouble])
    lacking = Line("under-replicated", [(each.seen_at, each.lacking) for each in past.trouble])
    now = past.trouble[-1]
    caption = (
        f"At {instant(now.seen_at)} {counted(now.offline, 'partition')} offline and {now.lacking:,} under-replicated; "
        f"the worst of these {len(past.trouble)} snapshots had {_worst(offline):,} and {_worst(lacking):,}."
    )
    svg = draw([Line("under-replicated", lacking.points), offline])
    return Picture("Partitions offline and under-replicated", caption, svg)


def _leaders(past: Past) -> Picture | None:
    lines = [
        Line(f"broker {node}", [(each.seen_at, each.leads) for each in rows])
        for node, rows in _by(past.leads, lambda each: each.node_id)
    ]
    lines = [line for line in lines if len(line.points) > 1]
    if not lines:
        return None
    shown = _most(lines, lambda line: _worst(line) - min(value for _, value in line.points))
    leads = ", ".join(f"{line.name} leads {counted(line.points[-1][1], 'partition')}" for line in shown)
    which = (
        "" if len(shown) == len(lines) else f" ({len(shown)} of {len(lines)} brokers, those that moved most)"
    )
    caption = f"At {instant(shown[0].points[-1][0])} {leads}{which}. {_terms(past)}"
    svg = draw(shown, _marks(past))
    return Picture("Partitions led by each broker", caption, svg)


def _marks(past: Past) -> list[Mark]:
    is_named = len(past.terms) <= _MARKS_NAMED
    return [Mark(term.seen_at, f"controller {term.controller_id}" if is_named else "") for term in past.terms]


def _terms(past: Past) -> str:
    if not past.terms:
        return "No other controller was seen."
    last = past.terms[-1]
    return (
        f"Dashed: a new controller, the last one {last.controller_id}, first seen at {instant(last.seen_at)}."
    )


def _lag(past: Past) -> Picture | None:
    known = [(each, each.lag) for each in past.progress if each.lag is not None]
    lines = [
        Line(_member(rows[0][0], past.progress), [(each.seen_at, lag) for each, lag in rows])
        for _, rows in _by(known, lambda pair: (pair[0].node_id, pair[0].directory_id))
    ]
    lines = [line for line in lines if len(line.points) > 1]
    if not lines:
        return None
    shown = _most(lines, _worst)
    behind = max(shown, key=lambda line: line.points[-1][1])
    at, lag = behind.points[-1]
    caption = (
        f"At {instant(at)} {behind.name} is furthest behind, by {counted(lag, 'record')}."
        if lag
        else f"At {instant(at)} nobody is behind."
    )
    return Picture("Lag of each quorum member, in records", caption, draw(shown))


def _high_watermark(past: Past) -> Picture | None:
    known = [
        (each.seen_at, each.high_watermark) for each in past.progress if (each.high_watermark or -1) >= 0
    ]
    highest: dict[object, int] = {}
    for at, value in known:
        highest[at] = max(highest.get(at, 0), value or 0)
    points = sorted((at, highest[at]) for at in {at for at, _ in known})
    if len(points) < 2:
        return None
    (_, before), (at, now) = points[-2:]
    moved = f"{now - before:,} more than" if now != before else "the same as"
    caption = f"At {instant(at)} the high watermark is {now:,}, {moved} at the snapshot before."
    svg = draw([Line("high watermark", points)], from_zero=False)
    return Picture("High watermark of the metadata log", caption, svg)


def _member(row: Progress, everybody: Sequence[Progress]) -> str:
    """`node 3`, with its directory where one node has several."""
    directories = {each.directory_id for each in everybody if each.node_id == row.node_id}
    name = f"node {row.node_id}"
    return (
        name if len(directories) == 1 else f"{name} ({printable(row.directory_id or 'no directory id')[:8]})"
    )


def _most(lines: Sequence[Line], measure: Callable[[Line], int]) -> list[Line]:
    """As many as there are colours, those with the greatest measure, in their own order."""
    chosen = sorted(lines, key=measure, reverse=True)[: len(COLOURS)]
    return [line for line in lines if line in chosen]


def _worst(line: Line) -> int:
    return max(value for _, value in line.points)


def _by(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> list[tuple[Hashable, list[Row]]]:
    return [(name, list(group)) for name, group in groupby(rows, key=key)]
