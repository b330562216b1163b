"""`varve sql`."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.options import AtOption, ClusterOption, Format, chosen_clusters, settings_of
from jobs.errors import UsageError

if TYPE_CHECKING:
    from jobs.lake.read import LakeReader
    from jobs.settings import Settings
    from jobs.storage import Storage


class SqlFormat(StrEnum):
    """How the rows of a query are given: as every command prints them, or in a file."""

    TABLE = Format.TABLE
    JSON = Format.JSON
    CSV = Format.CSV
    PARQUET = "parquet"


class Engine(StrEnum):
    """What answers a query: in a fifth of a second, or after Spark's start, where the answer or its way is large."""

    DUCKDB = "duckdb"
    SPARK = "spark"


def sql(
    context: typer.Context,
    query: Annotated[
        str | None,
        typer.Argument(
            help="A SELECT over the lake's tables; without it from stdin, or asked for on a terminal.",
            show_default=False,
        ),
    ] = None,
    at: AtOption = None,
    cluster: ClusterOption = None,
    form: Annotated[SqlFormat, typer.Option("--format", help="How to give rows.")] = SqlFormat.TABLE,
    output: Annotated[
        Path | None, typer.Option(help="File for --format parquet.", show_default=False, dir_okay=False)
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="What answers: spark, with Spark's SQL, for what is too large for duckdb.")
    ] = Engine.DUCKDB,
    explain_view: Annotated[
        str | None,
        typer.Option(
            help="Print a view as plain SQL over the Delta tables of one cluster, for other engines.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Ask the lake in SQL.

    Every table X is there as it is now. A table of things that are is there also as X_history, with valid_from
    and valid_to, and as X_at('2026-11-21 00:30'). SHOW TABLES and DESCRIBE X tell what there is.
    """
    from jobs.cli.answer import print_as_of, print_query
    from jobs.cli.instant import point_in_time
    from jobs.storage import open_storage

    if explain_view:
        from jobs.lake.plain_sql import view

        typer.echo(view(explain_view))
        return
    if (form is SqlFormat.PARQUET) != (output is not None):
        raise UsageError("Parquet goes to a file: write --format parquet --output FILE")
    settings = settings_of(context)
    storage, clusters = open_storage(settings.lake), chosen_clusters(settings, cluster)
    instant = point_in_time(at) if at else None
    open_engine = _opener(engine, settings)

    def ask(statement: str) -> None:
        reader = open_engine(storage, clusters, instant)
        if output is None:
            print_query(statement, reader, Format(form))
            return
        from jobs.cli.parquet import write_parquet

        rows = write_parquet(reader, statement, output)
        typer.echo(f"{rows} rows in {output}")
        print_as_of(reader, err=True)

    if query is None and sys.stdin.isatty() and sys.stdout.isatty() and output is None:
        from jobs.cli.names import names
        from jobs.cli.prompt import prompt

        prompt(ask, names())
    else:
        ask(query if query is not None else _piped())


def _opener(
    engine: Engine, settings: "Settings"
) -> "Callable[[Storage, Sequence[str], datetime | str | None], LakeReader]":
    """What opens the lake, each time anew for what was committed meanwhile."""
    if engine is Engine.DUCKDB:
        from jobs.lake.read import open_reader

        return open_reader
    from jobs.cli.terminal import busy
    from jobs.lake.spark_read import open_spark_reader
    from jobs.machine.session import spark_session

    with busy("starting Spark"):
        spark = spark_session("sql", settings.lake, settings.spark)
    return partial(open_spark_reader, spark)


def _piped() -> str:
    statement = "" if sys.stdin.isatty() else sys.stdin.read().strip()
    if not statement:
        raise UsageError('There is nothing to ask: write varve sql "SELECT …", or pipe a statement in')
    return statement
