"""A runbook for the terminal."""

from collections.abc import Iterator

from jobs.checks.parts.runbook import PLACEHOLDERS
from jobs.runbooks.fill import about, addresses, filled, notes, unknown
from jobs.settings import ClusterSettings
from jobs.wording import printable


def page_for(cluster: ClusterSettings, check: str, page: str, subject: str | None) -> str:
    """The page of a check, filled in for a cluster and the subject of a finding, with what stays to be filled in."""
    known = addresses(cluster) | (about(page, subject) if subject else {})
    title = f"## {check}{f': {subject}' if subject else ''} ({cluster.name})"
    parts = [title, filled(page, known), *_rest(cluster, page, known)]
    return "\n".join(printable(line) for line in "\n\n".join(parts).split("\n"))


def _rest(cluster: ClusterSettings, page: str, known: dict[str, str]) -> Iterator[str]:
    told = [f"- {note}" for note in notes(cluster)]
    told += [f"- {word}: {PLACEHOLDERS[word]}" for word in unknown(page, known)]
    if told:
        yield "### This cluster"
        yield "\n".join(told)
