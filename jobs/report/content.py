"""What a report says of a cluster, as plain values read from its lake."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from jobs.incidents.incident import Incident, counts
from jobs.incidents.read import read_incidents
from jobs.lake.commits import AsOf
from jobs.lake.read import LakeReader
from jobs.report import queries
from schemas.judgement import Severity

Row = TypeVar("Row", bound=NamedTuple)


class Snapshot(NamedTuple):
    snapshot_id: str
    captured_at: datetime
    status: str
    sources: list[dict[str, Any]]
    varve_version: str


class Counts(NamedTuple):
    topics: int
    partitions: int
    brokers: int
    members: int


class Resolved(NamedTuple):
    check_id: str
    severity: str
    subject: str
    first_seen_at: datetime
    resolved_at: datetime
    became: str | None


class Ignored(NamedTuple):
    """An open finding that varve.yaml says to ignore."""

    check_id: str
    severity: str
    subject: str
    first_seen_at: datetime
    ignored: str


class Event(NamedTuple):
    event: str
    subject: str
    from_value: str | None
    to_value: str | None
    reason: str | None
    partitions_touched: int | None
    since_at: datetime
    captured_at: datetime
    alike: int
    """How many events of this kind the snapshot saw, listed or not."""


class Expectation(NamedTuple):
    snapshot_id: str
    table_name: str
    expectation: str
    severity: str
    success: bool
    observed: str | None


class Broker(NamedTuple):
    """A registered broker, or one that replicas are assigned to and that is not registered."""

    broker_id: int
    is_registered: bool
    is_current: bool | None
    fenced: bool | None
    endpoints: list[str] | None
    rack: str | None
    registered_at: datetime | None
    leads: int
    replicas: int
    out_of_sync: int
    problem: str | None


class Controller(NamedTuple):
    controller_id: int | None
    epoch: int | None
    elected_at: datetime | None


class Member(NamedTuple):
    node_id: int
    directory_id: str | None
    role: str
    endpoints: list[str] | None
    is_current: bool
    leads: bool | None
    log_end_offset: int | None
    lag: int | None
    last_fetch_at: datetime | None


class Trouble(NamedTuple):
    """Partitions without a leader, and those with one whose ISR is not full, at one snapshot."""

    seen_at: datetime
    offline: int
    lacking: int


class Leads(NamedTuple):
    seen_at: datetime
    node_id: int
    leads: int


class Term(NamedTuple):
    seen_at: datetime
    controller_id: int | None
    epoch: int | None


class Progress(NamedTuple):
    seen_at: datetime
    node_id: int
    directory_id: str | None
    lag: int | None
    high_watermark: int | None


@dataclass(frozen=True)
class Past:
    """What the pictures show, oldest first."""

    trouble: list[Trouble]
    leads: list[Leads]
    terms: list[Term]
    progress: list[Progress]


@dataclass(frozen=True)
class Content:
    """Everything a report shows."""

    as_of: AsOf
    snapshot: Snapshot
    before: Snapshot | None
    counts: Counts
    incidents: list[Incident]
    """What is wrong, the worst first and of those the newest."""
    resolved: list[Resolved]
    ignored: list[Ignored]
    events: list[list[Event]]
    """Of the newest snapshot, by kind."""
    last_events: list[Event]
    expectations: list[list[Expectation]]
    """Of the newest snapshot that has any, by table."""
    brokers: list[Broker]
    controller: Controller | None
    members: list[Member]
    past: Past

    @property
    def severities(self) -> list[tuple[str, int]]:
        """How many incidents there are of each severity that has any, worst first."""
        of = counts(self.incidents)
        return [(severity, of[severity]) for severity in reversed(Severity) if of[severity]]


def read_content(reader: LakeReader) -> Content:
    """What there is to say of the only cluster the reader was opened for."""
    (as_of,) = reader.as_of
    newest, *earlier = _answers(reader, queries.SNAPSHOTS, Snapshot)
    controller = _answers(reader, queries.CONTROLLER, Controller)
    return Content(
        as_of=as_of,
        snapshot=newest,
        before=earlier[0] if earlier else None,
        counts=_answers(reader, queries.COUNTS, Counts)[0],
        incidents=read_incidents(reader),
        resolved=_answers(reader, queries.RESOLVED_FINDINGS, Resolved),
        ignored=_answers(reader, queries.IGNORED_FINDINGS, Ignored),
        events=_grouped(_answers(reader, queries.NEW_EVENTS, Event), "event"),
        last_events=_answers(reader, queries.LAST_EVENTS, Event),
        expectations=_grouped(_answers(reader, queries.EXPECTATIONS, Expectation), "table_name"),
        brokers=_answers(reader, queries.BROKERS, Broker),
        controller=controller[0] if controller else None,
        members=_answers(reader, queries.MEMBERS, Member),
        past=_read_past(reader.with_history_from(reader.query(queries.FIRST_DRAWN).rows[0][0])),
    )


def _read_past(reader: LakeReader) -> Past:
    return Past(
        trouble=_answers(reader, queries.TROUBLE, Trouble),
        leads=_answers(reader, queries.LEADERS, Leads),
        terms=_answers(reader, queries.TERMS, Term),
        progress=_answers(reader, queries.PROGRESS, Progress),
    )


def _answers(reader: LakeReader, sql: str, shape: type[Row]) -> list[Row]:
    answer = reader.query(sql)
    if answer.columns != shape._fields:
        raise TypeError(f"{shape.__name__} has the columns {shape._fields}, the query {answer.columns}")
    return [shape(*row) for row in answer.rows]


def _grouped(rows: Iterable[Row], *columns: str) -> list[list[Row]]:
    """Neighbours that are the same in these columns, together."""
    return [list(group) for _, group in groupby(rows, key=attrgetter(*columns))]
