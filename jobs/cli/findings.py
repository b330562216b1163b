"""Findings for a person: the worst check first, what it found line by line, and its remedy once."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from string import digits
from typing import NamedTuple

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jobs.cli.terminal import console_on_stdout, fits
from jobs.cli.values import as_text
from jobs.wording import SEVERITY_COLOURS, in_words, printable, written
from schemas.judgement import FindingStatus, Severity

SHOWN = 10
"""Findings of one check that a terminal shows at most; a pipe gets all."""
_INDENT = 2


class Finding(NamedTuple):
    """One finding; the columns of `findings` in the order in which `varve findings` prints them."""

    cluster: str
    severity: str
    check_id: str
    subject: str
    status: str
    first_seen_at: datetime
    not_seen_since: datetime | None
    evidence: str
    remedy: str

    @property
    def is_open(self) -> bool:
        return self.status == FindingStatus.OPEN


def print_findings(findings: Sequence[Finding]) -> None:
    """Print findings that are sorted by severity and check: a paragraph for each check. A pipe gets no colours."""
    console = console_on_stdout()
    if not findings:
        console.print("no findings\n")
    of_several_clusters = len({finding.cluster for finding in findings}) > 1
    for _, alike in groupby(findings, key=lambda each: (each.severity, each.check_id, each.remedy)):
        found = sorted(alike, key=_by_number)
        shown = sorted(_newest(found), key=_by_number) if sys.stdout.isatty() else found
        console.print(_title(found))
        console.print(*_findings(console, shown, of_several_clusters), sep="\n")
        if more := len(found) - len(shown):
            console.print(_indented(Text(f"and {more} more: varve findings --format csv", "dim")))
        console.print(_indented(Text.assemble(("Remedy: ", "bold"), as_text(found[0].remedy))), "")


def _by_number(finding: Finding) -> tuple[str, str, int]:
    """`orders-9` comes before `orders-10`."""
    name = finding.subject.rstrip(digits)
    return finding.cluster, name, int(finding.subject[len(name) :] or -1)


def _newest(found: list[Finding]) -> list[Finding]:
    """As many as a terminal shows: open ones before resolved ones, of each the last to be seen first."""
    newest_first = sorted(found, key=lambda each: each.first_seen_at, reverse=True)
    return sorted(newest_first, key=lambda each: not each.is_open)[:SHOWN]


def _title(found: list[Finding]) -> Text:
    severity = Severity(found[0].severity)
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
        yield _indented(table)
        return
    for finding in shown:
        yield _indented(Text("  ").join(_who(finding, of_several_clusters)))
        yield _indented(_evidence(finding), 2 * _INDENT)


def _who(finding: Finding, of_several_clusters: bool) -> list[Text]:
    since = Text(f"since {written(finding.first_seen_at.replace(microsecond=0))}")
    cluster = [Text(printable(finding.cluster))] * of_several_clusters
    return [*cluster, Text(printable(finding.subject), "bold"), since]


def _evidence(finding: Finding) -> Text:
    """The facts in words, behind `resolved` where the finding is; then since when it could not be judged."""
    words = [Text("resolved", "green")] * (not finding.is_open)
    if facts := as_text(in_words(finding.evidence)):
        words.append(Text(facts))
    if finding.not_seen_since and finding.is_open:
        since = written(finding.not_seen_since.replace(microsecond=0))
        words.append(Text(f"not judged since {since}", "yellow"))
    return Text("; ").join(words)


def _indented(what: RenderableType, by: int = _INDENT) -> Padding:
    return Padding.indent(what, by)
