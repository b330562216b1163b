"""Brokers that were moved to another machine.

The subject is the broker (`broker 2`); `partitions_touched` is 0.
"""

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, was

MOVED = EventKind(
    "broker-moved",
    "The broker runs on another machine.",
    from_value="name of the machine before",
    to_value="name of the machine now",
)

EVENTS = events_of(
    "hosts_changes",
    subject="'broker ' || broker_id",
    candidates=[happened(MOVED, changed("host"), was("host"), is_now("host"))],
    touched="0",
)
"""A broker whose host is another one has moved."""
