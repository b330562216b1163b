"""Differences for a person: a paragraph for each object, what touches most partitions first, then what was not seen."""

import sys
from collections.abc import Sequence
from itertools import groupby

from rich.padding import Padding
from rich.text import Text

from jobs.cli.diff import Difference, Unseen
from jobs.cli.life import changed, few, grid
from jobs.cli.terminal import console_on_stdout
from jobs.cli.values import as_text

SHOWN = 50
"""Objects that a terminal shows at most; a pipe gets all."""


def print_differences(differences: Sequence[Difference]) -> None:
    """Print differences that are sorted by object."""
    console = console_on_stdout()
    objects = [list(each) for _, each in groupby(differences, key=lambda each: each[:4])]
    shown = objects[:SHOWN] if sys.stdout.isatty() else objects
    for of_object in shown:
        console.print(_title(of_object[0]))
        console.print(Padding.indent(grid([line for each in of_object for line in _lines(each)]), 4))
    if more := len(objects) - len(shown):
        console.print(Text(f"and {more} more: add --format csv", "dim"))
    console.print("no differences\n" if not objects else "")


def unseen_line(unseen: Unseen) -> str:
    """What cannot be said for sure, because a snapshot did not see it."""
    named = few(unseen.examples, unseen.objects)
    return f"not seen by snapshot {unseen.as_of.snapshot_id} of {unseen.as_of.cluster}: {unseen.kind} {named}"


def _title(difference: Difference) -> Text:
    touched = difference.partitions_touched
    partitions = f", {touched} partition{'s' * (touched != 1)}" if touched else ""
    return Text.assemble(
        (f"{difference.kind} {as_text(difference.name)}", "bold"),
        f" of {difference.cluster}: {difference.what}{partitions}",
    )


def _lines(difference: Difference) -> list[tuple[str, str]]:
    if difference.column is not None:
        return [(difference.column, changed(difference.old, difference.new))]
    known = difference.old or difference.new or {}
    return [(column, as_text(value)) for column, value in known.items()]
