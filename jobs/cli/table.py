"""Rows for people: a table, or a block of lines for each row where the terminal is too narrow for one."""

import sys
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from jobs.cli.values import as_text
from jobs.printable import printable

_AS_WIDE_AS_IT_TAKES = 100_000


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows on stdout. A pipe gets a table of any width."""
    width = None if sys.stdout.isatty() else _AS_WIDE_AS_IT_TAKES
    console = Console(width=width, highlight=False)
    table = _table(columns, rows)
    options = console.options.update(max_width=_AS_WIDE_AS_IT_TAKES)
    if rows and Measurement.get(console, options, table).maximum > console.width:
        for row in rows:
            console.print(_block(columns, row), "")
        return
    console.print(table)
    if not rows:
        console.print("no rows")


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(Text(printable(column)))
    for row in rows:
        table.add_row(*(Text(as_text(value)) for value in row))
    return table


def _block(columns: Sequence[str], row: Sequence[Any]) -> Table:
    block = Table.grid(padding=(0, 2))
    block.add_column(no_wrap=True)
    block.add_column(overflow="fold")
    for column, value in zip(columns, row, strict=True):
        block.add_row(Text(printable(column), style="bold"), Text(as_text(value)))
    return block
