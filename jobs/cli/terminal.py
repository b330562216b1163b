"""What is for a person's eyes: tables as wide as the terminal allows, and what is going on while it takes time."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_AS_WIDE_AS_IT_TAKES = 100_000


def console_on_stdout() -> "Console":
    """As wide as the terminal; a pipe gets lines of any length and no colours."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _AS_WIDE_AS_IT_TAKES, highlight=False)


def fits(console: "Console", what: "RenderableType", indent: int = 0) -> bool:
    """Whether it can be printed without wrapping a line."""
    from rich.measure import Measurement

    unbounded = console.options.update(max_width=_AS_WIDE_AS_IT_TAKES)
    return Measurement.get(console, unbounded, what).maximum + indent <= console.width


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Shows on a terminal what is being done until it is done; a pipe stays silent."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(doing)):
        yield


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows on stdout; each as a block of lines where the terminal is too narrow for a table."""
    from rich.cells import cell_len
    from rich.text import Text

    console = console_on_stdout()
    header, *lines = _lines(columns, rows)
    if rows and cell_len(header) > console.width:
        for row in rows:
            console.print(_block(columns, row), "")
        return
    console.print(Text(header, style="bold"))
    console.print(Text("─" * cell_len(header)))
    for line in lines:
        sys.stdout.write(f"{line}\n")
    if not rows:
        console.print("no rows")


def _lines(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """The header and the rows as lines of equal width. rich's own table takes seconds for a thousand rows."""
    from rich.cells import cell_len, set_cell_size

    from jobs.cli.values import as_text

    cells = [[as_text(value) for value in row] for row in (columns, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    return ["   ".join(map(set_cell_size, row, widths)) for row in cells]


def _block(columns: Sequence[str], row: Sequence[Any]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    from jobs.cli.values import as_text

    block = Table.grid(padding=(0, 2))
    block.add_column(no_wrap=True)
    block.add_column(overflow="fold")
    for column, value in zip(columns, row, strict=True):
        block.add_row(Text(as_text(column), style="bold"), Text(as_text(value)))
    return block
