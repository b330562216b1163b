"""Raw state of log dirs and the replicas in them, as each broker describes its own."""

from schemas.columns import BROKER_ID, LOG_DIR, PARTITION, TOPIC
from schemas.table import Column, Kind, Table

_SCOPES = {"kafka": "/log_dirs/{broker_id}"}

ADMIN_LOG_DIRS = Table(
    name="admin_log_dirs",
    kind=Kind.STATE,
    meaning="log dirs as each broker itself describes them (DescribeLogDirs, KIP-113)",
    source="kafka",
    key=("broker_id", "path"),
    scopes=_SCOPES,
    columns=(
        BROKER_ID,
        LOG_DIR,
        Column(
            "error",
            "STRING",
            "Kafka's error: KAFKA_STORAGE_ERROR when the broker has taken the log dir offline, UNKNOWN_SERVER_ERROR when it cannot "
            "look at it, as before it notices; null while it is fine",
        ),
    ),
)

ADMIN_LOG_DIR_SPACE = Table(
    name="admin_log_dir_space",
    kind=Kind.SERIES,
    meaning="room on the volume of each log dir (KIP-827); no row before Kafka 3.3 and for an offline log dir",
    source="kafka",
    key=("broker_id", "path"),
    scopes=_SCOPES,
    columns=(
        BROKER_ID,
        LOG_DIR,
        Column("total_bytes", "BIGINT", "size of the volume"),
        Column("usable_bytes", "BIGINT", "bytes that the broker may still write"),
    ),
)

ADMIN_REPLICA_SIZES = Table(
    name="admin_replica_sizes",
    kind=Kind.SERIES,
    meaning="replicas on the online log dirs of each broker, as it describes them itself",
    source="kafka",
    key=("broker_id", "path", "topic", "partition"),
    scopes=_SCOPES,
    columns=(
        BROKER_ID,
        LOG_DIR,
        TOPIC,
        PARTITION,
        Column(
            "is_future", "BOOLEAN", "target of a move between log dirs, not yet the replica", required=True
        ),
        Column("bytes", "BIGINT", "bytes of the log's segments, without their indexes"),
        Column(
            "offset_lag",
            "BIGINT",
            "records that the end of the log is behind the high watermark as this broker knows it; of a future replica, "
            "behind the end of the current one; null when unknown",
        ),
    ),
)
