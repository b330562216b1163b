"""Writes the report."""

from datetime import UTC, datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from jobs.checks.parts.check import runbooks
from jobs.incidents import words
from jobs.lake.layout import report_folder
from jobs.lake.read import open_reader
from jobs.report import filters
from jobs.report.content import Content, read_content
from jobs.report.pictures import pictures
from jobs.report.queries import SHOWN
from jobs.settings import Settings
from jobs.storage import Location, open_storage
from schemas.judgement import FindingStatus, Severity
from schemas.snapshots import SnapshotStatus, SourceStatus


def write_report(settings: Settings, cluster: str) -> Location:
    """Write the report of a cluster's newest snapshot over the one before, and say where it is.

    Raises NoSnapshotError when nothing is committed yet.
    """
    html = render(read_content(open_reader(open_storage(settings.lake), [cluster])), datetime.now(UTC))
    folder, name = report_folder(settings.lake), f"{cluster}.html"
    open_storage(folder).write(name, html.encode("utf-8"))
    return folder / name


def render(content: Content, now: datetime) -> str:
    """The report as HTML; `now` is when it is written."""
    template = _environment().get_template("report.html.j2")
    return template.render(
        content=content, now=now, pictures=pictures(content.past, content.counts), runbooks=runbooks()
    )


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
    ):
        environment.filters[each.__name__] = each
    for named in (Severity, FindingStatus, SnapshotStatus, SourceStatus):
        environment.globals[named.__name__] = named
    environment.globals |= {"words": words, "SHOWN": SHOWN}
    return environment
