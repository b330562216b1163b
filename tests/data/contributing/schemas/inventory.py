"""Which machine each broker runs on, as an inventory file tells."""

from schemas.table import Column, Kind, Table

INVENTORY = Table(
    name="inventory",
    kind=Kind.STATE,
    meaning="the lines of the inventory file, as they are written",
    source="inventory",
    key=("broker",),
    scopes={"inventory": "/hosts/{broker}"},
    columns=(
        Column("broker", "STRING", "the broker's id as it is written", required=True),
        Column("host", "STRING", "the machine it runs on", required=True),
    ),
)

HOSTS = Table(
    name="hosts",
    kind=Kind.STATE,
    meaning="the machine that each broker runs on",
    key=("broker_id",),
    inputs={"inventory": ("inventory",)},
    scopes={"inventory": "/hosts/{broker_id}"},
    columns=(
        Column("broker_id", "INT", "id of the broker", required=True),
        Column("host", "STRING", "name of the machine, in small letters", required=True),
        Column("room", "STRING", "where the machine stands; null where nobody says so"),
    ),
)
