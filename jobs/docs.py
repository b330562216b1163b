"""The pages that derive from the code: `python -m jobs.docs` writes them, a test holds them fresh."""

import inspect
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path

from jobs.checks.parts.check import all_checks
from jobs.events.parts.event import EventKind, event_modules, kinds_of
from jobs.lake.views import COMPUTED, SHOWN
from jobs.timelines.parts.timeline import Timeline, all_timelines
from schemas.registry import tables
from schemas.table import BOOKKEEPING, Column, Kind, Table

ROOT = Path(__file__).resolve().parent.parent
_HEADER = "<!-- Written by `make docs` from the code. -->\n"


def pages() -> dict[str, str]:
    """Every generated page by its path below the project's root."""
    return {
        "docs/tables.md": tables_page(),
        "docs/events.md": events_page(),
        "docs/checks.md": checks_page(),
    }


def tables_page() -> str:
    """What is in the lake."""
    parts = [
        f"{_HEADER}# Tables",
        "A `state` table keeps what is, as changes: the view `X` is now, `X_history` the intervals, `X_at(T)` the past. "
        "A `series` keeps what moves at every look, a `log` what happened. Every table and view has `cluster` and the "
        "table's own columns.",
        *[_bookkeeping(kind) for kind in Kind],
        *[_table(table) for table in sorted(tables().values(), key=lambda table: table.name)],
        "# Timelines\n\nViews that tell from when to when something was so, made of the history of other tables. They are there "
        "wherever the lake is asked in SQL, each with `cluster` and its own columns. Where a snapshot did not see something, it "
        "is taken to have stayed as it was.",
        *[_timeline(name, timeline) for name, timeline in all_timelines().items()],
    ]
    return "\n\n".join(parts) + "\n"


def events_page() -> str:
    """What may happen."""
    parts = [
        f"{_HEADER}# Events",
        "The kinds of rows in `events`, by the table whose changes they explain. Something happened between `since_at`, "
        "when an earlier snapshot last saw the subject, and `captured_at`.",
    ]
    for module in event_modules():
        kinds = "\n".join(_event(kind) for kind in kinds_of(module))
        parts.append(f"## {module.__name__.rpartition('.')[2]}\n\n{inspect.getdoc(module)}")
        parts.append(f"| event | what happened | `from_value` | `to_value` |\n|---|---|---|---|\n{kinds}")
    return "\n\n".join(parts) + "\n"


def checks_page() -> str:
    """What is wrong, and what to do."""
    parts = [f"{_HEADER}# Checks"]
    for check in all_checks():
        settable = (
            f" · set in varve.yaml: {', '.join(f'`{each}`' for each in check.thresholds)}"
            if check.thresholds
            else ""
        )
        parts.append(
            f"## {check.check_id}\n\n*{check.severity}*{settable} · {check.remedy}\n\n{check.runbook.strip()}"
        )
    return "\n\n".join(parts) + "\n"


def _event(kind: EventKind) -> str:
    return f"| `{kind.name}` | {kind.meaning} | {kind.from_value or 'null'} | {kind.to_value or 'null'} |"


def _table(table: Table) -> str:
    key = ", ".join(f"`{name}`" for name in table.key) or "one row"
    return (
        f"## {table.name}\n\n{_sentence(table.meaning)} *{table.kind}*, {_origin(table)}; key: {key}.\n\n"
        f"{_columns(table.columns)}"
    )


def _timeline(name: str, timeline: Timeline) -> str:
    inputs = ", ".join(f"`{each}`" for each in timeline.inputs)
    return f"## {name}\n\n{_sentence(timeline.meaning)} *timeline*, from {inputs}.\n\n{_columns(timeline.columns)}"


def _sentence(meaning: str) -> str:
    return f"{meaning[0].upper()}{meaning[1:]}."


def _columns(columns: Iterable[Column]) -> str:
    rows = "\n".join(
        f"| `{column.name}` | {column.type.replace('|', '¦')} | {column.meaning}{_legal(column.one_of)} |"
        for column in columns
    )
    return f"| column | type | meaning |\n|---|---|---|\n{rows}"


def _origin(table: Table) -> str:
    if table.source:
        return f"from source `{table.source}`"
    made = [
        f"{', '.join(f'`{name}`' for name in names)} ({source})" for source, names in table.inputs.items()
    ]
    return f"from {' or '.join(made)}" if made else "by Varve itself"


def _legal(values: tuple[str | int, ...]) -> str:
    return f" ({' · '.join(str(value) or 'empty' for value in values)})" if values else ""


def _bookkeeping(kind: Kind) -> str:
    views = SHOWN[kind]
    computed = [column for column in COMPUTED if column.name in chain(*views.values())]
    rows = [_bookkept(column, views) for column in (*BOOKKEEPING[kind], *computed)]
    return (
        f"Beside its own columns a `{kind}` table stores the following, and its views show some of them"
        f"{' and compute others' if computed else ''}:\n\n"
        "| column | meaning | shown in |\n|---|---|---|\n" + "\n".join(rows)
    )


def _bookkept(column: Column, views: Mapping[str, Collection[str]]) -> str:
    shown_in = ", ".join(f"`{view}`" for view, shown in views.items() if column.name in shown)
    return f"| `{column.name}` | {column.meaning} | {shown_in or 'no view'} |"


if __name__ == "__main__":
    for path, text in pages().items():
        (ROOT / path).write_text(text, encoding="utf-8")
