"""What Varve makes of the metadata: what happened, and what is wrong."""

from enum import StrEnum

from schemas.table import Column, Kind, Table


class Severity(StrEnum):
    """How bad a finding or a failed expectation is, the mildest first."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class FindingStatus(StrEnum):
    """Whether a finding still stands."""

    OPEN = "open"
    RESOLVED = "resolved"


class Reason(StrEnum):
    """Why a leader moved or the ISR shrank: what became of a broker, or what was asked for."""

    BROKER_LEFT = "broker-left"
    BROKER_UNREGISTERED = "broker-unregistered"
    BROKER_FENCED = "broker-fenced"
    BROKER_BOUNCED = "broker-bounced"
    CONTROLLED_SHUTDOWN = "controlled-shutdown"
    REASSIGNMENT = "reassignment"
    PREFERRED_ELECTION = "preferred-election"
    UNCLEAN_ELECTION = "unclean-election"
    FAILED_LOG_DIR = "failed-log-dir"
    SEVERAL = "several"
    UNKNOWN = "unknown"


EVENTS = Table(
    name="events",
    kind=Kind.LOG,
    meaning="typed drift: what happened to what, between two snapshots",
    key=("event", "subject"),
    columns=(
        Column(
            "event",
            "STRING",
            "what happened, such as broker-left; docs/events.md has every kind",
            required=True,
        ),
        Column(
            "subject",
            "STRING",
            "to what, in Kafka's own writing: orders, orders-3, broker 2, node 3",
            required=True,
        ),
        Column("from_value", "STRING", "what it was before"),
        Column("to_value", "STRING", "what it is now"),
        Column("partitions_touched", "INT", "partitions it concerns"),
        Column(
            "since_snapshot_id",
            "STRING",
            "newest earlier snapshot that saw the subject's scope",
            required=True,
        ),
        Column(
            "since_at",
            "TIMESTAMP",
            "when that earlier snapshot was captured; earlier where only a checkpoint of the metadata log tells",
            required=True,
        ),
        Column(
            "captured_at",
            "TIMESTAMP",
            "when this snapshot was captured: the event happened between since_at and this instant",
            required=True,
        ),
        Column(
            "reason",
            "STRING",
            "why a leader moved, a partition went offline, or the ISR shrank; null for other events",
            one_of=tuple(Reason),
        ),
    ),
)

FINDINGS = Table(
    name="findings",
    kind=Kind.STATE,
    meaning="what is wrong, each with evidence and what to do",
    key=("check_id", "subject"),
    columns=(
        Column("check_id", "STRING", "the check, such as topic-id-latent", required=True),
        Column("subject", "STRING", "what it is about, in Kafka's own writing", required=True),
        Column("severity", "STRING", "how bad it is", required=True, one_of=tuple(Severity)),
        Column("status", "STRING", "open, or resolved", required=True, one_of=tuple(FindingStatus)),
        Column("first_seen_at", "TIMESTAMP", "when the snapshot that opened it was captured", required=True),
        Column(
            "not_seen_since",
            "TIMESTAMP",
            "when it was last judged, where newer snapshots did not see what it rests on; null when it is current",
        ),
        Column("evidence", "STRING", "the standing facts behind it, a JSON object", required=True),
        Column("remedy", "STRING", "what to do about it, first step first", required=True),
        Column(
            "cause_check_id",
            "STRING",
            "the check of the open finding that explains this one: that one's remedy comes first; null where none does",
        ),
        Column("cause_subject", "STRING", "the subject of that finding"),
        Column(
            "became",
            "STRING",
            "where it is resolved because it got worse: the check of the finding that the subject has now",
        ),
        Column(
            "was_resolved_at",
            "TIMESTAMP",
            "where it came back within the time that a resolved finding is kept: when it had been resolved",
        ),
        Column("worsened_at", "TIMESTAMP", "when its severity rose last, unless it has fallen since"),
        Column(
            "ignored",
            "STRING",
            "until when and why it counts for no alarm, as varve.yaml says; null where it counts",
        ),
    ),
)

NOT_RUN = "could not be run: "
"""How `observed` begins where an expectation could not be run, which says nothing about the table."""

EXPECTATION_RESULTS = Table(
    name="expectation_results",
    kind=Kind.LOG,
    meaning="what Great Expectations found in the tables that a snapshot changed, appended after its commit",
    key=("suite", "expectation"),
    columns=(
        Column("suite", "STRING", "suite: the table's name", required=True),
        Column("expectation", "STRING", "the expectation with its columns and values", required=True),
        Column("table_name", "STRING", "table it was run on", required=True),
        Column("severity", "STRING", "how bad a failure is", required=True, one_of=tuple(Severity)),
        Column("success", "BOOLEAN", "it held", required=True),
        Column("observed", "STRING", "what was seen instead, a short text"),
    ),
)
