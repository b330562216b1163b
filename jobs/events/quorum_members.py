"""Members of the metadata quorum that came, went, were promoted or demoted.

The subject is the node, such as `node 3`; `partitions_touched` is 0.
"""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, changed, created, deleted, events_of, happened, is_now, was

_DIRECTORY = "its directory id, null where it is not known"

PROMOTED = EventKind("voter-promoted", "An observer was added to the voters.", "observer", "voter")
DEMOTED = EventKind("voter-demoted", "A voter was removed and observes now.", "voter", "observer")
VOTER_APPEARED = EventKind("voter-appeared", "A node votes that was no member.", to_value=_DIRECTORY)
VOTER_VANISHED = EventKind("voter-vanished", "A voter is no member any more.", from_value=_DIRECTORY)
OBSERVER_APPEARED = EventKind(
    "observer-appeared", "A node fetches the metadata log that was no member.", to_value=_DIRECTORY
)
OBSERVER_VANISHED = EventKind(
    "observer-vanished", "An observer is no member any more.", from_value=_DIRECTORY
)


def events(quorum_members_changes: DataFrame) -> DataFrame:
    """An observer that is added becomes a voter, a voter that is removed becomes an observer.

    Brokers before Kafka 3.9 tell no directory ids: a member that has got one, or lost it, has stayed.
    """
    is_voter, was_voter = is_now("role") == "voter", was("role") == "voter"
    came, went = created() & ~F.col("stays"), deleted() & ~F.col("stays")
    roles = was("role"), is_now("role")
    directory = F.col("directory_id")
    return events_of(
        quorum_members_changes.withColumn("stays", _stays()),
        subject=F.concat(F.lit("node "), "node_id"),
        candidates=[
            happened(PROMOTED, changed("role") & is_voter, *roles),
            happened(DEMOTED, changed("role") & was_voter, *roles),
            happened(VOTER_APPEARED, came & is_voter, after=directory),
            happened(VOTER_VANISHED, went & was_voter, before=directory),
            happened(OBSERVER_APPEARED, came & ~is_voter, after=directory),
            happened(OBSERVER_VANISHED, went & ~was_voter, before=directory),
        ],
        touched=F.lit(0),
    )


def _stays() -> Column:
    """The node came and went at once, on one side without a directory id."""
    of_node = Window.partitionBy("node_id")
    both = [F.bool_or(condition).over(of_node) for condition in (created(), deleted())]
    return both[0] & both[1] & F.bool_or(F.col("directory_id").isNull()).over(of_node)
