"""How values are written for people: names that strangers chose, points in time, the facts behind a finding."""

import json
from datetime import datetime
from typing import Any

from schemas.judgement import Severity

SEVERITY_COLOURS = {Severity.CRITICAL: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
"""Styles of `rich`."""
_ITEMS_SHOWN = 5


def printable(text: str) -> str:
    """The text with controls, terminal escapes and direction marks written as escapes.

    Names of topics, clients and paths are chosen by anybody: what they contain is shown, never obeyed.
    """
    if text.isprintable():  # character by character takes 30 times as long
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def written(instant: datetime) -> str:
    """`2026-11-21 00:30:05Z`; an instant without a zone gets no Z."""
    return instant.isoformat(sep=" ").replace("+00:00", "Z")


def counted(count: int, noun: str) -> str:
    """`1 partition`, `2 partitions`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def ago(instant: datetime, now: datetime) -> str:
    """`4 minutes ago`, in the largest unit of which there are at least two."""
    seconds = int((now - instant).total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}s ago"
    return f"{max(seconds, 0)} seconds ago"


def facts(evidence: str) -> dict[str, Any]:
    """The facts of a finding's `evidence`, a JSON object, by name in words: `leader_epoch` is `leader epoch`.

    Anything but an object is one fact, the text as it is.
    """
    try:
        parsed = json.loads(evidence)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        return {"evidence": evidence}
    return {str(name).replace("_", " "): value for name, value in parsed.items()}


def in_words(evidence: str) -> str:
    """The known facts in one line: `leader -1, isr [1], replicas [1, 2]`. Long lists are cut."""
    return ", ".join(
        f"{name} {_value(value)}" for name, value in facts(evidence).items() if value is not None
    )


def _value(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(map(_value, value[:_ITEMS_SHOWN]))
        more = len(value) - _ITEMS_SHOWN
        return f"[{shown} and {more} more]" if more > 0 else f"[{shown}]"
    if isinstance(value, dict):
        return f"({', '.join(f'{name} {_value(each)}' for name, each in value.items())})"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
