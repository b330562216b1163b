"""Writes the report."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial

from jinja2 import Environment, PackageLoader, StrictUndefined

from jobs.checks.parts.check import runbooks
from jobs.incidents import words
from jobs.incidents.incident import Incident
from jobs.lake.layout import report_folder
from jobs.lake.read import open_reader
from jobs.report import filters
from jobs.report.content import Content, read_content
from jobs.report.pictures import pictures
from jobs.report.queries import SHOWN
from jobs.runbooks.fill import about, addresses, filled
from jobs.settings import Settings
from jobs.storage import Location, open_storage
from jobs.wording import printable
from schemas.judgement import FindingStatus, Severity
from schemas.snapshots import SnapshotStatus, SourceStatus


def write_report(settings: Settings, cluster: str) -> Location:
    """Write the report of a cluster's newest snapshot over the one before, and say where it is.

    Raises NoSnapshotError when nothing is committed yet.
    """
    content = read_content(open_reader(open_storage(settings.lake), [cluster]))
    html = render(content, datetime.now(UTC), addresses(settings.cluster(cluster)))
    folder, name = report_folder(settings.lake), f"{cluster}.html"
    open_storage(folder).write(name, html.encode("utf-8"))
    return folder / name


def render(content: Content, now: datetime, known: Mapping[str, str]) -> str:
    """The report as HTML; `now` is when it is written, `known` what the runbooks are filled in with."""
    template = _environment().get_template("report.html.j2")
    return template.render(
        content=content,
        now=now,
        pictures=pictures(content.past, content.counts),
        runbook_of=partial(_runbook, runbooks(), known),
    )


def _runbook(pages: Mapping[str, str], known: Mapping[str, str], incident: Incident) -> str:
    """The page of an incident's check; what it is about is filled in where it is about one thing."""
    page = pages.get(incident.check_id, "")
    subject = printable(incident.findings[0].subject)
    return filled(page, {**known, **(about(page, subject) if len(incident.findings) == 1 else {})})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("jobs.report"),
        autoescape=True,
        finalize=filters.shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    for each in (
        filters.instant,
        filters.clock,
        filters.span,
        filters.counted,
        filters.title,
        filters.facts,
        filters.markdown,
        filters.remedy,
    ):
        environment.filters[each.__name__] = each
    for named in (Severity, FindingStatus, SnapshotStatus, SourceStatus):
        environment.globals[named.__name__] = named
    environment.globals |= {"words": words, "SHOWN": SHOWN}
    return environment
