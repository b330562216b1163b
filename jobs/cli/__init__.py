"""The command line `varve`: one module per command in `commands`, with one function of the module's name.

Where the name of a command is a keyword of Python, the module and the function end with `_`: `import_`.

Exit codes: 0 fine, 1 failed, 2 usage, 3 findings at or above `--fail-on`. Whatever is slow to import is
imported inside the function that needs it, so that `varve sql` answers at once.
"""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jobs.cli import commands
from jobs.discovery import modules
from jobs.errors import VarveError


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"varve {version('varve')}")
        raise typer.Exit


def _global_options(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option(help="Settings file.", show_default="$VARVE_CONFIG, or varve.yaml here")
    ] = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version.",
            callback=_print_version,
            is_eager=True,
            expose_value=False,
        ),
    ] = False,
) -> None:
    """What changed in your Kafka clusters, what is wrong, and what to do about it."""
    context.obj = config


@cache
def application() -> typer.Typer:
    """The command line with every command found in `commands`."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_global_options)
    for module in modules(commands):
        name = module.__name__.rpartition(".")[2]
        settings = getattr(module, "CONTEXT_SETTINGS", None)
        app.command(name.rstrip("_"), context_settings=settings)(getattr(module, name))
    return app


def parse(words: Sequence[str]) -> typer.Context:
    """The words of a call as the command line understands them; nothing is run.

    For programs that call `varve` on a schedule and want to check their words beforehand.
    Raises `typer.TyperException` for words that the command line does not understand.
    """
    group = typer.main.get_command(application())
    context = group.make_context("varve", list(words))
    name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[attr-defined]
    parsed: typer.Context = command.make_context(name, rest, parent=context)
    return parsed


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line with these words, or with those of the process.

    A VarveError and a file that cannot be opened end with one message on stderr and an exit code, without a traceback.
    """
    try:
        application()(words, prog_name="varve")
    except VarveError as error:
        _end(str(error), error.exit_code)
    except OSError as error:
        if error.filename is None:
            raise
        _end(f"{error.filename}: {error.strerror}", VarveError.exit_code)


def _end(message: str, exit_code: int) -> NoReturn:
    from jobs.cli.values import as_text

    prefix = typer.style("error:", fg="red", bold=True) if sys.stderr.isatty() else "error:"
    typer.echo(f"{prefix} {as_text(message)}", err=True)
    sys.exit(exit_code)
