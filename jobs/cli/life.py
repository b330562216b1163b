"""The life of objects for a person: a paragraph for each version, what changed line by line, and what happened then."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jobs.cli.history import CHANGED, DELETED, Version
from jobs.cli.terminal import console_on_stdout
from jobs.cli.values import as_text
from jobs.wording import written

FEW = 3
"""How many names stand for many."""
_COLOURS = {DELETED: "red", CHANGED: "yellow"}


def print_life(kind: str, versions: Sequence[Version]) -> None:
    """Print the versions, those of one object after a line that names it."""
    console = console_on_stdout()
    if not versions:
        console.print("it was not there at that time\n")
    for (cluster, name), life in groupby(versions, key=lambda each: (each.cluster, each.name)):
        console.print(Text.assemble((f"{kind} {as_text(name)}", "bold"), f" of {as_text(cluster)}"))
        for number, version in enumerate(life):
            console.print(Padding.indent(_title(version), 2))
            for line in _lines(version, whole=number == 0):
                console.print(Padding.indent(line, 6))
        console.print()


def unseen_line(cluster: str, kind: str, names: Sequence[str]) -> str:
    """Which objects may be another way by now."""
    some = few(names, len(names))
    return f"not seen by the newest snapshot of {cluster}, and may have changed: {kind} {some}"


def few(names: Sequence[str], of: int) -> str:
    """The first few names of so many."""
    shown = [as_text(name) for name in names[:FEW]]
    return ", ".join(shown) + (f" and {of - len(shown)} more" if of > len(shown) else "")


def _title(version: Version) -> Text:
    until = written(version.valid_to) if version.valid_to else "now"
    return Text.assemble(
        (f"{written(version.valid_from)} to {until}", "bold"),
        "  ",
        (version.what.replace("-", " "), _COLOURS.get(version.what, "green")),
        (f"  snapshot {version.snapshot_id}", "dim"),
    )


def _lines(version: Version, whole: bool) -> Iterator[Table]:
    """What changed, and how all of it was where the reader has not seen that yet; then the events."""
    is_change = version.what == CHANGED
    if version.value and (whole or not is_change):
        yield grid([(column, as_text(value)) for column, value in version.value.items()])
    if is_change:
        yield grid([(each["column"], changed(each["old"], each["new"])) for each in version.changes])
    if version.events:
        yield grid([(f"{as_text(each['subject'])}:", _event(each)) for each in version.events])


def _event(event: dict[str, Any]) -> str:
    values = [as_text(event[each]) for each in ("from_value", "to_value") if event[each] is not None]
    because = [f"({as_text(event['reason'])})"] if event["reason"] else []
    return " ".join([event["event"], " → ".join(values), *because])


def changed(old: Any, new: Any) -> str:
    """`old → new`."""
    return " → ".join("null" if value is None else as_text(value) for value in (old, new))


def grid(lines: Sequence[tuple[str, str]]) -> Table:
    """Names and values, a line for each."""
    table = Table.grid(padding=(0, 2))
    for name, value in lines:
        table.add_row(Text(name), Text(value))
    return table
