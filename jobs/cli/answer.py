"""Prints rows, as of when they are, what landed, and what a snapshot brought."""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from textwrap import indent
from typing import Any

import typer

from jobs.cli.options import Format
from jobs.cli.terminal import busy, print_table
from jobs.cli.values import as_csv, as_json, unique
from jobs.lake.commits import AsOf
from jobs.lake.read import Answer, LakeReader, open_reader
from jobs.landing.manifest import Manifest
from jobs.settings import Settings
from jobs.storage import open_storage
from jobs.wording import ago, printable, written
from schemas.judgement import FindingStatus
from schemas.snapshots import Gap

_GAPS_SHOWN = 5


def print_answer(answer: Answer, reader: LakeReader, form: Format) -> None:
    """The rows on stdout, then as of when they are: below a table, but on stderr beside what a program reads."""
    print_rows(answer.columns, answer.rows, form)
    print_as_of(reader, err=form is not Format.TABLE)


def print_query(sql: str, reader: LakeReader, form: Format) -> None:
    """The answer to a query, as `print_answer`; JSON and CSV are printed while it is computed."""
    with reader.rows(sql) as (columns, parts):
        with busy("asking the lake"):
            first = next(parts, [])
            rest = list(chain.from_iterable(parts)) if form is Format.TABLE else chain.from_iterable(parts)
        print_rows(columns, chain(first, rest), form)
    print_as_of(reader, err=form is not Format.TABLE)


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: Format) -> None:
    """Rows on stdout as a table for people, a JSON array of objects, or CSV with a header."""
    if form is Format.JSON:
        _print_json(unique(columns), rows)
    elif form is Format.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([as_csv(column) for column in columns])
        writer.writerows([as_csv(value) for value in row] for row in rows)
    else:
        print_table(columns, list(rows))


def _print_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """An array that is written object by object."""
    before = "["
    for row in rows:
        each = {name: as_json(value) for name, value in zip(columns, row, strict=True)}
        sys.stdout.write(f"{before}\n{indent(json.dumps(each, indent=1), ' ')}")
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def print_as_of(reader: LakeReader, err: bool = False) -> None:
    """One line for each cluster."""
    for as_of in reader.as_of:
        typer.echo(as_of_line(as_of, datetime.now(UTC)), err=err)
    for cluster in reader.without_snapshot:
        typer.echo(f"no snapshot of {cluster} yet: run varve snapshot {cluster}", err=err)


def print_landed(manifest: Manifest, cluster: str) -> None:
    """What a source brought on stdout, what was not seen of it on stderr."""
    rows = sum(manifest.rows.values())
    typer.echo(
        f"{manifest.source} of {cluster} landed as {manifest.snapshot_id}: {rows} rows, {manifest.status}"
    )
    for gap in manifest.gaps:
        typer.echo(f"not seen: {gap_in_words(gap)}", err=True)


def gap_in_words(gap: Gap) -> str:
    """`/config/users (unauthorized): …`."""
    return printable(f"{gap.scope} ({gap.reason}): {gap.message}")


def print_outcome(settings: Settings, cluster: str) -> None:
    """What the newest snapshot brought: as of when the lake now is, how much happened, and what is wrong."""
    reader = open_reader(open_storage(settings.lake), [cluster])
    newest = reader.as_of[0].snapshot_id
    ((events,),) = reader.query(f"SELECT count(*) FROM events WHERE snapshot_id = '{newest}'").rows
    print_as_of(reader)
    typer.echo(f"  events since the snapshot before: {events}")
    typer.echo(f"  open findings: {_open_findings(reader, cluster)}")


def open_findings(reader: LakeReader) -> tuple[dict[str, int], int, int]:
    """How many findings are open and not ignored, by severity; how many are ignored; and how many of those that are not the
    newest snapshot could not judge.
    """
    are_open = f"FROM findings WHERE status = '{FindingStatus.OPEN}'"
    count = f"{are_open} AND ignored IS NULL"
    by_severity = reader.query(f"SELECT severity, count(*) {count} GROUP BY ALL ORDER BY severity").rows
    ((ignored,),) = reader.query(f"SELECT count(ignored) {are_open}").rows
    ((not_judged,),) = reader.query(f"SELECT count(not_seen_since) {count}").rows
    return dict(by_severity), ignored, not_judged


def _open_findings(reader: LakeReader, cluster: str) -> str:
    by_severity, ignored, not_judged = open_findings(reader)
    if not by_severity:
        return f"none that is not ignored ({ignored} ignored)" if ignored else "none"
    counts = ", ".join(f"{count} {severity}" for severity, count in by_severity.items())
    without = f"; {not_judged} of them could not be judged now" if not_judged else ""
    return f"{counts}{without} (varve findings --cluster {cluster})"


def as_of_line(as_of: AsOf, now: datetime) -> str:
    """As of when an answer is, by which snapshot, and what that snapshot did not see."""
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
