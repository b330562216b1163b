"""Lines over time as inline SVG: no script, no address, colours that the page's stylesheet sets."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#808080")
"""The colours of Okabe and Ito, which colour-blind people can tell apart. The stylesheet has a light and a dark shade of each."""

_WIDTH, _HEIGHT = 640, 190
_LABEL_HEIGHT = 15
_POINTS_SHOWN = 60
_FONT_SLACK = 2.5
"""Pixels a letter may be wider in the reader's font than where the picture was drawn."""
_NAMESPACES = re.compile(r' xmlns(?::\w+)?="[^"]*"')


class Line(NamedTuple):
    """A name and its values, oldest first; a value holds until the next."""

    name: str
    points: list[tuple[datetime, int]]


class Mark(NamedTuple):
    """An instant at which something happened."""

    at: datetime
    name: str


def draw(lines: Sequence[Line], marks: Sequence[Mark] = (), from_zero: bool = True) -> Markup:
    """At most `len(COLOURS)` lines, each named at its end with its newest value."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(_spec(lines, marks, from_zero))
    head, end, body = svg.partition(">")
    return Markup(_NAMESPACES.sub("", head) + end + body)


def _spec(lines: Sequence[Line], marks: Sequence[Mark], from_zero: bool) -> dict[str, Any]:
    low, high = _domain(lines, from_zero)
    times = [at for line in lines for at, _ in line.points]
    layers = [_marks(marks), _marks_names(marks)] if marks else []
    layers += [_lines(lines), _names(lines, max(times), (high - low) * _LABEL_HEIGHT / _HEIGHT)]
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "background": None,
        "padding": {"left": 4, "top": 4, "bottom": 4, "right": 4 + _FONT_SLACK * _longest(lines)},
        "encoding": {"x": _time_axis(min(times), max(times)), "y": _value_axis(low, high)},
        "layer": layers,
        "config": {
            "aria": False,
            "view": {"stroke": None},
            "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelFontSize": 12},
            "axisX": {"grid": False, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 8},
        },
    }


def _longest(lines: Sequence[Line]) -> int:
    return max(len(_label(line)) for line in lines)


def _label(line: Line) -> str:
    return f"{line.name}: {line.points[-1][1]:,}"


def _domain(lines: Sequence[Line], from_zero: bool) -> tuple[float, float]:
    values = [value for line in lines for _, value in line.points]
    low = 0 if from_zero else min(values)
    return low, low + max(max(values) - low, 1) * 1.12


def _time_axis(first: datetime, last: datetime) -> dict[str, Any]:
    days = f"{first:%Y-%m-%d}" if first.date() == last.date() else f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"
    axis = {
        "title": f"UTC, {days}",
        "format": _time_format(last - first),
        "tickCount": 6,
        "labelOverlap": True,
    }
    return {"field": "at", "type": "temporal", "scale": {"type": "utc"}, "axis": axis}


def _time_format(span: timedelta) -> str:
    if span < timedelta(minutes=10):
        return "%H:%M:%S"
    return "%H:%M" if span < timedelta(hours=36) else "%b %d %H:%M"


def _value_axis(low: float, high: float) -> dict[str, Any]:
    ticks: dict[str, Any] = {"tickCount": 4}
    if high - low < 5:
        ticks = {"values": list(range(int(low), int(high) + 1))}
    axis = {"title": None, "format": ",d", **ticks}
    scale = {"domain": [low, high], "nice": False}
    return {"field": "value", "type": "quantitative", "scale": scale, "axis": axis}


def _lines(lines: Sequence[Line]) -> dict[str, Any]:
    values = [
        {"at": _millis(at), "value": value, "name": line.name} for line in lines for at, value in line.points
    ]
    has_points = max(len(line.points) for line in lines) <= _POINTS_SHOWN
    mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    points = {"point": {"size": 28, "filled": True}} if has_points else {}
    return {"data": {"values": values}, "mark": {**mark, **points}, "encoding": {"color": _colour(lines)}}


def _names(lines: Sequence[Line], at: datetime, gap: float) -> dict[str, Any]:
    heights = spread([line.points[-1][1] for line in lines], gap)
    values = [
        {
            "at": _millis(at),
            "value": height,
            "name": line.name,
            "label": _label(line),
        }
        for line, height in zip(lines, heights, strict=True)
    ]
    mark = {
        "type": "text",
        "align": "left",
        "baseline": "middle",
        "dx": 10,
        "fontSize": 12.5,
        "fontWeight": 600,
    }
    encoding = {"text": {"field": "label"}, "color": _colour(lines)}
    return {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _marks(marks: Sequence[Mark]) -> dict[str, Any]:
    values = [{"at": _millis(mark.at)} for mark in marks]
    mark = {"type": "rule", "strokeDash": [3, 3], "color": "#999999"}
    return {
        "data": {"values": values},
        "mark": mark,
        "encoding": {"y": {"value": 0}, "y2": {"value": _HEIGHT}},
    }


def _marks_names(marks: Sequence[Mark]) -> dict[str, Any]:
    """The names stand to the left of the marks: to the right of the newest one the lines' own names often begin."""
    values = [{"at": _millis(mark.at), "label": mark.name} for mark in marks]
    mark = {"type": "text", "align": "right", "baseline": "top", "dx": -5, "fontSize": 11}
    return {
        "data": {"values": values},
        "mark": mark,
        "encoding": {"y": {"value": 0}, "text": {"field": "label"}},
    }


def _colour(lines: Sequence[Line]) -> dict[str, Any]:
    names = [line.name for line in lines]
    scale = {"domain": names, "range": COLOURS[: len(names)]}
    return {"field": "name", "type": "nominal", "scale": scale, "legend": None}


def spread(values: Sequence[float], gap: float) -> list[float]:
    """The values, moved up just far enough to keep `gap` between any two. Of equal values the first stays lowest."""
    moved = list(values)
    lowest = float("-inf")
    for index in sorted(range(len(values)), key=lambda each: values[each]):
        moved[index] = max(values[index], lowest + gap)
        lowest = moved[index]
    return moved


def _millis(at: datetime) -> int:
    return int(at.timestamp() * 1000)
