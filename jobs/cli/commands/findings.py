"""`varve findings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, T, chosen_clusters, settings_of
from schemas.judgement import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobs.incidents.finding import Finding
    from jobs.lake.read import LakeReader

_EXIT_FOUND = 3


def findings(
    context: typer.Context,
    cluster: ClusterOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Show resolved findings, too.")] = False,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help=f"Only what is open and was not at T, or was milder or ignored then. {T}",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        Severity | None,
        typer.Option(
            help="Exit 3 when one that is shown, open and not ignored is at least this severe.",
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what is wrong as incidents, the worst first, and what to do about each; with --all every finding by itself."""
    from jobs.cli.answer import print_as_of, print_rows
    from jobs.cli.instant import point_in_time
    from jobs.incidents.finding import RANK, Finding, ask_findings
    from jobs.incidents.worse import worse_since
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    storage = open_storage(settings.lake).settled()
    reader = open_reader(storage, chosen_clusters(settings, cluster))
    found = [Finding(*row) for row in ask_findings(reader, resolved=everything).rows]
    if since:
        worse = worse_since(storage, reader, point_in_time(since))
        found = [each for each in found if each.key in worse]
    if form is Format.TABLE:
        _print(reader, found, everything=everything, since=since)
    else:
        print_rows(Finding._fields, found, form)
    print_as_of(reader, err=form is not Format.TABLE)
    if fail_on and any(each.counts and RANK[each.severity] >= RANK[fail_on] for each in found):
        raise typer.Exit(_EXIT_FOUND)


def _print(reader: LakeReader, found: Sequence[Finding], *, everything: bool, since: str | None) -> None:
    from jobs.cli.findings import print_all, print_ignored, print_open
    from jobs.incidents.read import read_incidents

    if everything:
        print_all(found)
        return
    keys = {each.key for each in found}
    told = [each for each in read_incidents(reader) if any(one.key in keys for one in each.all_findings)]
    print_open(told, f"nothing is wrong that was not wrong at {since}" if since else "no findings")
    print_ignored(found)
