"""Members of the metadata quorum that came, went, were promoted or demoted.

The subject is the node, such as `node 3`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import CREATED, DELETED, EventKind, changed, events_of, happened, is_now, was

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

_CHANGES = """(
  SELECT *, bool_or(op = 'create') OVER of_node AND bool_or(op = 'delete') OVER of_node
    AND bool_or(directory_id IS NULL) OVER of_node AS stays
  FROM quorum_members_changes WINDOW of_node AS (PARTITION BY node_id)
)"""
_IS_VOTER, _WAS_VOTER = (f"{then('role')} = 'voter'" for then in (is_now, was))
_CAME, _WENT = f"{CREATED} AND NOT stays", f"{DELETED} AND NOT stays"
_ROLES = was("role"), is_now("role")

EVENTS = events_of(
    _CHANGES,
    subject="'node ' || node_id",
    candidates=[
        happened(PROMOTED, f"{changed('role')} AND {_IS_VOTER}", *_ROLES),
        happened(DEMOTED, f"{changed('role')} AND {_WAS_VOTER}", *_ROLES),
        happened(VOTER_APPEARED, f"{_CAME} AND {_IS_VOTER}", after="directory_id"),
        happened(VOTER_VANISHED, f"{_WENT} AND {_WAS_VOTER}", before="directory_id"),
        happened(OBSERVER_APPEARED, f"{_CAME} AND NOT {_IS_VOTER}", after="directory_id"),
        happened(OBSERVER_VANISHED, f"{_WENT} AND NOT {_WAS_VOTER}", before="directory_id"),
    ],
    touched="0",
)
"""An observer that is added becomes a voter, a voter that is removed becomes an observer.

Brokers before Kafka 3.9 tell no directory ids: a member that has got one, or lost it, came and went at once and has stayed.
"""
