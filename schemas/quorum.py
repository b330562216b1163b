"""Raw state of the KRaft metadata quorum, as its leader describes it."""

from schemas.table import Column, Kind, Table

QUORUM = Table(
    name="quorum",
    kind=Kind.STATE,
    meaning="the KRaft metadata quorum: who leads it and since which epoch; one row",
    source="kafka",
    key=(),
    scopes={"kafka": "/quorum/leader"},
    columns=(
        Column("leader_id", "INT", "node id of the leader, -1 for none", required=True),
        Column("leader_epoch", "INT", "epoch of the leader", required=True),
    ),
)

QUORUM_MEMBERS = Table(
    name="quorum_members",
    kind=Kind.STATE,
    meaning="voters and observers of the metadata quorum as its leader remembers them",
    source="kafka",
    key=("node_id", "directory_id"),
    scopes={"kafka": "/quorum"},
    columns=(
        Column("node_id", "INT", "node id", required=True),
        Column("directory_id", "STRING", "directory id in Kafka's 22-character form; null before Kafka 3.9"),
        Column("role", "STRING", "voter or observer", required=True, one_of=("voter", "observer")),
        Column("endpoints", "ARRAY<STRING>", "listeners as NAME://host:port, known for voters only"),
    ),
)

QUORUM_PROGRESS = Table(
    name="quorum_progress",
    kind=Kind.SERIES,
    meaning="how far each member of the metadata quorum is; times are the leader's clock",
    source="kafka",
    key=("node_id", "directory_id"),
    scopes={"kafka": "/quorum"},
    columns=(
        Column("node_id", "INT", "node id", required=True),
        Column("directory_id", "STRING", "directory id in Kafka's 22-character form; null before Kafka 3.9"),
        Column("high_watermark", "BIGINT", "high watermark of the metadata log, -1 until it is known"),
        Column(
            "log_end_offset", "BIGINT", "end of the member's log, -1 when it never fetched from this leader"
        ),
        Column("lag", "BIGINT", "the leader's log end offset less the member's; null when one is unknown"),
        Column("last_fetch_at", "TIMESTAMP", "last fetch of the member; null when unknown"),
        Column("last_caught_up_at", "TIMESTAMP", "when the member last had everything; null when unknown"),
    ),
)
