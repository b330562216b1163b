"""`varve findings`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from schemas.judgement import Severity

_EXIT_FOUND = 3


def findings(
    context: typer.Context,
    cluster: ClusterOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Show resolved findings, too.")] = False,
    fail_on: Annotated[
        Severity | None,
        typer.Option(
            help="Exit 3 when an open finding that is not ignored is at least this severe.",
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what is wrong as incidents, the worst first, and what to do about each; with --all every finding by itself."""
    from jobs.cli.answer import print_answer, print_as_of
    from jobs.cli.findings import print_all, print_ignored, print_open
    from jobs.incidents.finding import Finding, ask_findings
    from jobs.incidents.read import read_incidents
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    reader = open_reader(open_storage(settings.lake), chosen_clusters(settings, cluster))
    answer = ask_findings(reader, resolved=everything)
    found = [Finding(*row) for row in answer.rows]
    if form is not Format.TABLE:
        print_answer(answer, reader, form)
    else:
        if everything:
            print_all(found)
        else:
            print_open(read_incidents(reader))
            print_ignored(found)
        print_as_of(reader)
    severities = {finding.severity for finding in found if finding.counts}
    if fail_on and severities & set(list(Severity)[list(Severity).index(fail_on) :]):
        raise typer.Exit(_EXIT_FOUND)
