"""Brokers that joined, left, were fenced, or bounced between two snapshots.

The subject is the broker, such as `broker 7`; `partitions_touched` counts the partitions it has a replica of.
"""

from jobs.checks.parts.instants import instant
from jobs.events.parts.brokers import CHANGES, RESTARTS
from jobs.events.parts.event import EventKind, events_of, happened, is_now, was

JOINED = EventKind("broker-joined", "A broker registered, and is not fenced.", to_value="its endpoints")
LEFT = EventKind(
    "broker-left", "A broker that was not fenced is no longer registered.", from_value="its endpoints"
)
UNREGISTERED = EventKind(
    "broker-unregistered", "A fenced broker is no longer registered.", from_value="its endpoints"
)
BOUNCED = EventKind(
    "broker-bounced",
    "A broker went away and came back: it registered anew. Over the quorum that is known as of the newest checkpoint of "
    "the metadata log on the disks that are read, which may be an hour old.",
    from_value="when it had registered; its epoch over the quorum, such as `epoch 10`",
    to_value="when it registered now, or its epoch",
)
FENCED = EventKind(
    "broker-fenced",
    "A registered broker was fenced: it is away, or still starting. Before Kafka 4.0 the quorum names no fenced broker: "
    "it may have been unregistered since.",
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
_REGISTERED = tuple(
    f"coalesce({instant(then('registered_at'))}, 'epoch ' || {then('epoch')})" for then in (was, is_now)
)
_FENCED = was("fenced"), is_now("fenced")

EVENTS = f"""{
    events_of(
        f"({CHANGES}) LEFT JOIN ({_REPLICAS}) USING (broker_id)",
        subject="'broker ' || broker_id",
        candidates=[
            happened(JOINED, "what = 'joined'", after=_ENDPOINTS[1]),
            happened(LEFT, "what = 'left'", before=_ENDPOINTS[0]),
            happened(UNREGISTERED, "what = 'unregistered'", before=_ENDPOINTS[0]),
            happened(BOUNCED, "what = 'bounced'", *_REGISTERED),
            happened(FENCED, "what = 'fenced'", _FENCED[0], "true"),
            happened(UNFENCED, "what = 'unfenced'", "true", _FENCED[1]),
        ],
        touched="coalesce(held, 0)",
    )
} UNION ALL {
    events_of(
        f"({RESTARTS}) LEFT JOIN ({_REPLICAS}) USING (broker_id)",
        subject="'broker ' || broker_id",
        candidates=[happened(BOUNCED, "true", "'epoch ' || epoch_before", "'epoch ' || epoch_now")],
        touched="coalesce(held, 0)",
    )
}"""
"""What each change of a registration was, see `jobs.events.parts.brokers`."""
