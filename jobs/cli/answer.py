"""Prints rows, and as of when they are."""

import csv
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import typer

from jobs.cli.instant import ago, written
from jobs.cli.options import Format
from jobs.cli.values import as_csv, as_json, unique
from jobs.lake.commits import AsOf
from jobs.lake.read import Answer, LakeReader
from jobs.printable import printable

_GAPS_SHOWN = 5


def print_answer(answer: Answer, lake: LakeReader, form: Format) -> None:
    """The rows on stdout; as of when they are below a table, on stderr beside anything a program reads."""
    print_rows(answer.columns, answer.rows, form)
    print_as_of(lake, err=form is not Format.TABLE)


def print_as_of(lake: LakeReader, err: bool = False) -> None:
    """One line for each cluster."""
    for as_of in lake.as_of:
        typer.echo(as_of_line(as_of, datetime.now(UTC)), err=err)
    for cluster in lake.without_snapshot:
        typer.echo(f"no snapshot of {cluster} yet: run varve snapshot {cluster}", err=err)


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]], form: Format) -> None:
    """Rows on stdout as a table for people, a JSON array of objects, or CSV with a header."""
    if form is Format.JSON:
        names = unique(columns)
        objects = [{name: as_json(value) for name, value in zip(names, row, strict=True)} for row in rows]
        typer.echo(json.dumps(objects, indent=1))
    elif form is Format.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([as_csv(column) for column in columns])
        writer.writerows([as_csv(value) for value in row] for row in rows)
    else:
        from jobs.cli.table import print_table

        print_table(columns, rows)


def as_of_line(as_of: AsOf, now: datetime) -> str:
    """As of when an answer is, by which snapshot, and what that one did not see."""
    line = (
        f"as of {written(as_of.captured_at.replace(microsecond=0))} ({ago(as_of.captured_at, now)}), "
        f"snapshot {as_of.snapshot_id} of {as_of.cluster}"
    )
    return f"{line}; not seen: {not_seen(as_of)}" if as_of.gaps else line


def not_seen(as_of: AsOf) -> str:
    """The coverage gaps of a snapshot, the first few by name."""
    shown = [f"{source} {gap.scope} ({gap.reason})" for source, gap in as_of.gaps[:_GAPS_SHOWN]]
    if more := len(as_of.gaps) - len(shown):
        shown.append(f"and {more} more in coverage_gaps")
    return printable(", ".join(shown))
