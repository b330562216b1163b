"""From when to when each broker was on a machine."""

from jobs.timelines.parts.timeline import Timeline, spells
from schemas.table import Column

TIMELINE = Timeline(
    meaning="from when to when each broker was on a machine",
    columns=(
        Column("broker_id", "INT", "id of the broker"),
        Column("host", "STRING", "name of the machine"),
        Column("since", "TIMESTAMP", "when it was first seen there"),
        Column("until", "TIMESTAMP", "when it was seen elsewhere; null while it is there"),
    ),
    inputs=("hosts_history",),
    sql=spells("SELECT * FROM hosts_history", ("cluster", "broker_id", "host"), "since", "until"),
)
