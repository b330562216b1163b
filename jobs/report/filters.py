"""Values as people read them. Text from the lake may be anything, so what a reader would not see is written out."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from jobs import wording
from jobs.wording import printable

_NOTHING = "\N{EN DASH}"
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["link", "autolink", "image", "html_block"])


def shown(value: Any) -> Any:
    """Text as `printable` writes it; null as a dash; anything else as it is."""
    if value is None:
        return _NOTHING
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return value


def instant(value: datetime | None) -> str:
    """`2026-11-21 00:30:05 UTC`."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if value else _NOTHING


def clock(value: datetime | None) -> str:
    """`11-21 00:30:05`, for the columns of a table that says UTC above."""
    return f"{value.astimezone(UTC):%m-%d %H:%M:%S}" if value else _NOTHING


def span(start: datetime, end: datetime) -> str:
    """`4 minutes`, in the largest unit of which there are at least two."""
    seconds = max(int((end - start).total_seconds()), 0)
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}s"
    return counted(seconds, "second")


def counted(count: int, noun: str) -> str:
    """`1 second`, `1,204 topics`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def title(words: str) -> str:
    """`Topic id mismatch` for `topic-id-mismatch`, `ISR shrank` for `isr-shrank`."""
    return words.replace("-", " ").capitalize().replace("Isr", "ISR")


def facts(evidence: str) -> list[tuple[str, str]]:
    """The names and values of a JSON object; of anything else one fact, the text as it is."""
    return [(name, _value(value)) for name, value in wording.facts(evidence).items()]


def markdown(text: str) -> Markup:
    """A runbook as HTML, without links or HTML of its own."""
    return Markup(_MARKDOWN.render(text))


def remedy(text: str) -> Markup:
    """A check's remedy, with what stands between backticks as code; no other mark means anything."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(text)))))


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(_value(each) for each in value) or "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
