"""Brokers that joined, left, were fenced, or bounced between two snapshots.

The subject is the broker, such as `broker 7`; `partitions_touched` counts the partitions it has a replica of.
"""

from jobs.events.parts.event import CREATED, DELETED, EventKind, changed, events_of, happened, is_now, was

JOINED = EventKind("broker-joined", "A broker registered, and is not fenced.", to_value="its endpoints")
LEFT = EventKind(
    "broker-left", "A broker that was not fenced is no longer registered.", from_value="its endpoints"
)
UNREGISTERED = EventKind(
    "broker-unregistered", "A fenced broker is no longer registered.", from_value="its endpoints"
)
BOUNCED = EventKind(
    "broker-bounced",
    "A broker went away and came back: it registered anew.",
    from_value="its epoch before",
    to_value="its epoch now",
)
FENCED = EventKind(
    "broker-fenced",
    "A registered broker was fenced: it is away, or still starting.",
    from_value="whether it was fenced, null where that was not known",
    to_value="true",
)
UNFENCED = EventKind(
    "broker-unfenced",
    "A fenced broker is not fenced any more.",
    from_value="true",
    to_value="whether it is fenced",
)

_REPLICAS = """
SELECT broker_id, count(*) AS held FROM (SELECT unnest(replicas) AS broker_id FROM partitions) GROUP BY broker_id
"""
_ENDPOINTS = tuple(f"array_to_string({then('endpoints')}, ',')" for then in (was, is_now))
_EPOCHS = was("epoch"), is_now("epoch")
_FENCED = was("fenced"), is_now("fenced")
_IS_ONE_COUNT = f"({was('session')} IS NULL) = ({is_now('session')} IS NULL)"
"""A registration in ZooKeeper, which has a session, counts its epochs otherwise than the quorum."""
_IS_ON, _WAS_ON = (f"NOT coalesce({then('fenced')}, false)" for then in (is_now, was))

EVENTS = events_of(
    f"brokers_changes LEFT JOIN ({_REPLICAS}) USING (broker_id)",
    subject="'broker ' || broker_id",
    candidates=[
        happened(JOINED, f"{CREATED} AND {_IS_ON}", after=_ENDPOINTS[1]),
        happened(LEFT, f"{DELETED} AND {_WAS_ON}", before=_ENDPOINTS[0]),
        happened(UNREGISTERED, f"{DELETED} AND {was('fenced')}", before=_ENDPOINTS[0]),
        happened(BOUNCED, f"{_IS_ONE_COUNT} AND {_EPOCHS[0]} <> {_EPOCHS[1]}", *_EPOCHS),
        happened(FENCED, f"{changed('fenced')} AND {is_now('fenced')}", *_FENCED),
        happened(UNFENCED, f"{changed('fenced')} AND {was('fenced')}", *_FENCED),
    ],
    touched="coalesce(held, 0)",
)
"""A broker whose epoch changed was away and came back in between, even if no snapshot saw it gone.

An epoch that is not known before or after says nothing: the Admin API has none. Who is registered in ZooKeeper is not
fenced. A fenced broker is registered, but away: it has not joined when it is first seen, and it does not leave when it is
unregistered.
"""
