"""Settings that a broker goes by, of those that decide how partitions fare, and that nobody set in the cluster.

They change with the broker's properties file or its release, when it starts. The subject is the broker, such as `broker 7`;
`partitions_touched` is 0. What is set in the cluster itself is told by `config-changed`.
"""

from jobs.events.parts.event import EventKind, events_of, happened, is_now, was

BROKER_SETTING_CHANGED = EventKind(
    "broker-setting-changed",
    "A broker started with another value of a setting, in its properties file or as its release's default.",
    from_value="the name and its value before, such as `min.insync.replicas=2`",
    to_value="the name and its value now",
)

_VALUES = tuple(f"name || '=' || {then('value')}" for then in (was, is_now))
_OF_THE_CLUSTER = " OR ".join(
    f"coalesce(starts_with({then('source')}, 'DYNAMIC'), true)" for then in (was, is_now)
)

EVENTS = events_of(
    "broker_settings_changes",
    subject="'broker ' || broker_id",
    candidates=[
        happened(
            BROKER_SETTING_CHANGED,
            f"op = 'update' AND {_VALUES[0]} <> {_VALUES[1]} AND NOT ({_OF_THE_CLUSTER})",
            *_VALUES,
        )
    ],
    touched="0",
)
"""Where the value comes from a source that Varve does not know, nothing is told: it may be set in the cluster."""
