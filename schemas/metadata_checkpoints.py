"""What the controllers' checkpoints of the metadata log say, from any disk that holds one."""

from schemas.table import Column, Kind, Table

_BROKER = Column("broker_id", "INT", "node whose disk it lies on, as configured in varve.yaml", required=True)
_PATH = Column("path", "STRING", "log dir, one entry of the node's log.dirs", required=True)
_PLACE = "/{broker_id}{path}/__cluster_metadata-0/checkpoint"

METADATA_CHECKPOINTS = Table(
    name="metadata_checkpoints",
    kind=Kind.STATE,
    meaning="the newest finished checkpoint of the metadata log in each log dir that has one",
    source="log_dirs",
    key=("broker_id", "path"),
    scopes={"log_dirs": _PLACE},
    columns=(
        _BROKER,
        _PATH,
        Column("end_offset", "BIGINT", "first offset of the metadata log that is not in it", required=True),
        Column("epoch", "INT", "epoch of the last record in it", required=True),
        Column("last_contained_at", "TIMESTAMP", "when the last record in it was appended: as of when it is"),
        Column("bytes", "BIGINT", "size of the file", required=True),
        Column("kraft_version", "INT", "finalized kraft.version; 0 also where the file has none"),
        Column("features", "ARRAY<STRUCT<name: STRING, level: INT>>", "finalized features by name"),
        Column(
            "voters",
            "ARRAY<STRUCT<node_id: INT, directory_id: STRING>>",
            "voters of the quorum; null before kraft.version 1",
        ),
        Column(
            "records",
            "ARRAY<STRUCT<type: STRING, count: BIGINT>>",
            "how many records of each type it holds; a number where the type is newer than Varve",
        ),
        Column(
            "problem",
            "STRING",
            "what is malformed, cut or unfinished, so that nothing in the file is trusted; null for a whole file",
        ),
    ),
)

CHECKPOINT_BROKERS = Table(
    name="checkpoint_brokers",
    kind=Kind.STATE,
    meaning="broker registrations in the newest finished checkpoint of each log dir that has one",
    source="log_dirs",
    key=("broker_id", "path", "registered_id"),
    scopes={"log_dirs": f"{_PLACE}/brokers"},
    columns=(
        _BROKER,
        _PATH,
        Column("registered_id", "INT", "broker id of the registration", required=True),
        Column("epoch", "BIGINT", "broker epoch", required=True),
        Column("incarnation_id", "STRING", "id of the broker's process", required=True),
        Column("endpoints", "ARRAY<STRING>", "listeners as NAME://host:port", required=True),
        Column(
            "security_protocols",
            "ARRAY<STRUCT<listener: STRING, protocol: STRING>>",
            "security protocol of each listener",
            required=True,
        ),
        Column(
            "features",
            "ARRAY<STRUCT<name: STRING, min_version: INT, max_version: INT>>",
            "features the broker supports, by name",
            required=True,
        ),
        Column("rack", "STRING", "broker.rack"),
        Column("fenced", "BOOLEAN", "fenced as of the checkpoint", required=True),
        Column(
            "in_controlled_shutdown",
            "BOOLEAN",
            "shutting down in order; false before Kafka 3.3-IV3",
            required=True,
        ),
        Column("is_migrating", "BOOLEAN", "a ZooKeeper-mode broker in migration", required=True),
        Column(
            "log_dirs",
            "ARRAY<STRING>",
            "directory ids that are online; empty before Kafka 3.7-IV2",
            required=True,
        ),
    ),
)
