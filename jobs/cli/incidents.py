"""Incidents for a person: each is a paragraph of what is wrong, since when, what it explains, what came before and its remedy."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from shlex import quote

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from jobs.cli.values import as_text
from jobs.incidents import words
from jobs.incidents.incident import Incident
from jobs.wording import SEVERITY_COLOURS, ago, in_words, printable, written

SHOWN = 10
"""Incidents that `varve status` shows at most."""
_INDENT = 2


def print_incidents(console: Console, told: Sequence[Incident], now: datetime) -> None:
    """Each incident in a few lines, the worst first."""
    if not told:
        console.print("no findings\n")
    of_several_clusters = len({each.cluster for each in told}) > 1
    for incident, before in with_before(told[:SHOWN]):
        console.print(_headline(incident, now, of_several_clusters))
        print_story(console, incident, before, _known(incident))
    if (more := len(told) - SHOWN) > 0:
        console.print(Text(f"and {more} more: varve findings\n", "dim"))


def with_before(told: Iterable[Incident]) -> Iterator[tuple[Incident, str]]:
    """Each incident with what came before it; of several that began at the same moment the first says it."""
    said = set()
    for incident in told:
        moment = (incident.cluster, incident.before)
        yield incident, "as above" if incident.before and moment in said else words.before(incident.before)
        said.add(moment)


def print_story(console: Console, incident: Incident, before: str, known: str = "") -> None:
    """What is known of the incident, what it explains, what came before it, and what to do first."""
    console.print(*_story(incident, before, known), sep="\n")
    console.print()


def _known(incident: Incident) -> str:
    """The facts of the only finding of an incident that explains none: nothing else says what is wrong."""
    is_alone = len(incident.all_findings) == 1
    return in_words(incident.findings[0].evidence) if is_alone else ""


def _headline(incident: Incident, now: datetime, of_several_clusters: bool) -> Text:
    return Text.assemble(
        (incident.severity.upper(), SEVERITY_COLOURS[incident.severity]),
        f" {printable(incident.cluster)}" if of_several_clusters else "",
        (f" {printable(incident.check_id)}", "bold"),
        f": {printable(words.subjects(incident.findings))}",
        (f", since {written(incident.since.replace(microsecond=0))} ({ago(incident.since, now)})", "dim"),
    )


def _story(incident: Incident, before: str, known: str) -> Iterator[RenderableType]:
    told: Iterable[tuple[str, str]] = (
        ("Known", known),
        ("Explains", words.explains(incident)),
        ("Was", words.was(incident)),
        ("Before", before),
        ("Writer", words.writer(incident)),
        ("Remedy", incident.remedy),
        (
            "Runbook",
            f"varve runbook {incident.check_id} {quote(incident.findings[0].subject)} --cluster {incident.cluster}",
        ),
    )
    for name, text in told:
        if text:
            yield indented(Text.assemble((f"{name}: ", "bold"), as_text(text)))


def indented(what: RenderableType, by: int = _INDENT) -> Padding:
    """Moved to the right."""
    return Padding.indent(what, by)
