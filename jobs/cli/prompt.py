"""The prompt of `varve sql`: statements that end with `;`, with a history and completion of names."""

import readline
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from jobs.cli.values import as_text
from jobs.errors import UsageError

HISTORY = ".varve_history"
"""The file of the last statements, in the user's home."""
_KEPT = 1_000
_FIRST, _NEXT = "varve> ", "   ... "


def prompt(ask: Callable[[str], None], names: list[str]) -> None:
    """Ask each statement that is typed, until the end of input. What is wrong with one is said, and the next is read.

    Ctrl-C drops the statement, or stops the answer.
    """
    _prepare(names)
    history = Path.home() / HISTORY
    if history.is_file():
        readline.read_history_file(history)
    typer.echo("Statements end with ; and Ctrl-D leaves. SHOW TABLES; and DESCRIBE X; tell what there is.")
    try:
        for statement in _statements():
            _answer(ask, statement)
    finally:
        readline.set_history_length(_KEPT)
        readline.write_history_file(history)


def _prepare(names: list[str]) -> None:
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    readline.set_completer_delims(" \t\n,;()=<>!'\"+-*/.")
    readline.set_completer(lambda typed, number: completed(typed, names)[number])


def completed(typed: str, names: list[str]) -> list[str | None]:
    """The names that begin with what is typed, then None."""
    return [*(name for name in names if name.startswith(typed.lower())), None]


def _answer(ask: Callable[[str], None], statement: str) -> None:
    try:
        ask(statement)
    except UsageError as error:
        typer.echo(f"error: {as_text(str(error))}", err=True)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)


def _statements() -> Iterator[str]:
    """Each statement without its `;`, until the end of input."""
    lines: list[str] = []
    while True:
        try:
            lines.append(input(_NEXT if lines else _FIRST))
        except KeyboardInterrupt:
            typer.echo()
            lines = []
            continue
        except EOFError:
            typer.echo()
            return
        statement = "\n".join(lines).strip()
        if not statement or statement.endswith(";"):
            lines = []
        if statement.endswith(";"):
            yield statement.rstrip("; \n")
