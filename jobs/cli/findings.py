"""Findings for a person: incident by incident, the worst first, with what was found line by line and the remedy once."""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from jobs.cli.incidents import indented, print_story, with_before
from jobs.cli.terminal import console_on_stdout, fits
from jobs.cli.values import as_text
from jobs.incidents.finding import Finding
from jobs.incidents.incident import Incident
from jobs.incidents.words import by_number
from jobs.wording import SEVERITY_COLOURS, counted, in_words, printable, written
from schemas.judgement import FindingStatus, Severity

SHOWN = 10
"""Findings of one check that a terminal shows at most; a pipe gets all."""
_INDENT = 2


def print_open(told: Sequence[Incident], nothing: str = "no findings") -> None:
    """Print a paragraph for each incident, or that there is none. A pipe gets no colours."""
    console = console_on_stdout()
    if not told:
        console.print(f"{nothing}\n")
    of_several_clusters = len({incident.cluster for incident in told}) > 1
    for incident, before in with_before(told):
        _print_found(console, incident.severity, incident.findings, of_several_clusters)
        print_story(console, incident, before)


def print_all(findings: Sequence[Finding]) -> None:
    """Print findings that are sorted by severity and check, resolved ones, too: a paragraph for each check."""
    console = console_on_stdout()
    if not findings:
        console.print("no findings\n")
    of_several_clusters = len({finding.cluster for finding in findings}) > 1
    for _, alike in groupby(findings, key=lambda each: (each.severity, each.check_id, each.remedy)):
        found = tuple(alike)
        _print_found(console, Severity(found[0].severity), found, of_several_clusters)
        console.print(indented(Text.assemble(("Remedy: ", "bold"), as_text(found[0].remedy))), "")


def print_ignored(findings: Sequence[Finding]) -> None:
    """Print how many open findings are ignored, where any is."""
    if ignored := sum(finding.is_open and not finding.counts for finding in findings):
        console_on_stdout().print(f"{counted(ignored, 'finding')} ignored: varve findings --all\n")


def _print_found(
    console: Console, severity: Severity, findings: Sequence[Finding], of_several_clusters: bool
) -> None:
    found = sorted(findings, key=_by_number)
    shown = sorted(_newest(found), key=_by_number) if sys.stdout.isatty() else found
    console.print(_title(severity, found))
    console.print(*_findings(console, shown, of_several_clusters), sep="\n")
    if more := len(found) - len(shown):
        console.print(indented(Text(f"and {more} more: varve findings --format csv", "dim")))


def _by_number(finding: Finding) -> tuple[str, tuple[str, int]]:
    return finding.cluster, by_number(finding.subject)


def _newest(found: list[Finding]) -> list[Finding]:
    """As many as a terminal shows: open ones before resolved ones, of each the last to be seen first."""
    newest_first = sorted(found, key=lambda each: each.first_seen_at, reverse=True)
    return sorted(newest_first, key=lambda each: not each.is_open)[:SHOWN]


def _title(severity: Severity, found: list[Finding]) -> Text:
    are_open = sum(finding.is_open for finding in found)
    counts = {FindingStatus.OPEN: are_open, FindingStatus.RESOLVED: len(found) - are_open}
    return Text.assemble(
        (severity.upper(), SEVERITY_COLOURS[severity]),
        (f" {printable(found[0].check_id)}", "bold"),
        (f" ({', '.join(f'{count} {status}' for status, count in counts.items() if count)})", "dim"),
    )


def _findings(
    console: Console, shown: Sequence[Finding], of_several_clusters: bool
) -> Iterator[RenderableType]:
    """A table with a line for each, or two paragraphs for each where the terminal is too narrow for it."""
    table = Table.grid(padding=(0, 2))
    for finding in shown:
        table.add_row(*_who(finding, of_several_clusters), _evidence(finding))
    if fits(console, table, _INDENT):
        yield indented(table)
        return
    for finding in shown:
        yield indented(Text("  ").join(_who(finding, of_several_clusters)))
        yield indented(_evidence(finding), 2 * _INDENT)


def _who(finding: Finding, of_several_clusters: bool) -> list[Text]:
    since = Text(f"since {written(finding.first_seen_at.replace(microsecond=0))}")
    cluster = [Text(printable(finding.cluster))] * of_several_clusters
    return [*cluster, Text(printable(finding.subject), "bold"), _life(finding), since]


def _evidence(finding: Finding) -> Text:
    """The facts in words; then since when it could not be judged, and until when it is ignored."""
    words: list[Text] = []
    if facts := as_text(in_words(finding.evidence)):
        words.append(Text(facts))
    if finding.not_seen_since and finding.is_open:
        since = written(finding.not_seen_since.replace(microsecond=0))
        words.append(Text(f"not judged since {since}", "yellow"))
    if finding.ignored:
        words.append(Text(f"ignored {printable(finding.ignored)}", "dim"))
    return Text("; ").join(words) or Text(" ")  # rich makes a table with an empty last column too narrow


def _life(finding: Finding) -> Text:
    """`new`, `continuing` …; getting worse is no recovery."""
    if finding.became:
        return Text(f"became {printable(finding.became)}", "yellow")
    return Text(finding.life, "" if finding.is_open else "green")
