"""`varve findings`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from schemas.judgement import FindingStatus, Severity

_EXIT_FOUND = 3
_FINDINGS = f"""
SELECT cluster, severity, check_id, subject, status, first_seen_at, not_seen_since, evidence, remedy FROM findings
WHERE status = '{FindingStatus.OPEN}' OR {{everything}} ORDER BY array_position({{severities}}, severity) DESC, check_id, subject, cluster
"""


def findings(
    context: typer.Context,
    cluster: ClusterOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Show resolved findings, too.")] = False,
    fail_on: Annotated[
        Severity | None,
        typer.Option(help="Exit 3 when an open finding is at least this severe.", show_default=False),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what is wrong, the worst first, and what to do about it."""
    from jobs.cli.answer import print_answer, print_as_of
    from jobs.cli.findings import Finding, print_findings
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    reader = open_reader(open_storage(settings.lake), chosen_clusters(settings, cluster))
    answer = reader.query(
        _FINDINGS.format(everything=everything, severities=[str(each) for each in Severity])
    )
    found = [Finding(*row) for row in answer.rows]
    if form is Format.TABLE:
        print_findings(found)
        print_as_of(reader)
    else:
        print_answer(answer, reader, form)
    severities = {finding.severity for finding in found if finding.status == FindingStatus.OPEN}
    if fail_on and severities & set(list(Severity)[list(Severity).index(fail_on) :]):
        raise typer.Exit(_EXIT_FOUND)
