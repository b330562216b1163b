"""What lies on the brokers' disks: log dirs, replica directories and their checkpoints."""

from schemas.columns import LOG_DIR
from schemas.table import PROBLEM, Column, Kind, Table

_BROKER = Column("broker_id", "INT", "broker the directory was configured for in varve.yaml", required=True)
_DIR_NAME = Column("dir_name", "STRING", "name of the replica's directory", required=True)

LOG_DIRS = Table(
    name="log_dirs",
    kind=Kind.STATE,
    meaning="log dirs with their meta.properties and, where the node keeps one, its quorum-state",
    source="log_dirs",
    key=("broker_id", "path"),
    # Where meta.properties cannot be read, this row is not seen; the replicas beside it are.
    scopes={"log_dirs": "/{broker_id}{path}/meta.properties"},
    columns=(
        _BROKER,
        LOG_DIR,
        Column("meta_version", "INT", "version of meta.properties; 0 is also what migrated clusters keep"),
        Column("cluster_id", "STRING", "cluster.id"),
        Column("node_id", "INT", "node.id, or broker.id in version 0"),
        Column("directory_id", "STRING", "directory.id, from Kafka 3.7 on"),
        Column("quorum_data_version", "INT", "data_version of quorum-state"),
        Column("quorum_leader_id", "INT", "leaderId of quorum-state, -1 for none"),
        Column("quorum_leader_epoch", "INT", "leaderEpoch of quorum-state"),
        Column("quorum_voted_id", "INT", "votedId of quorum-state, -1 for none"),
        Column("quorum_voted_directory_id", "STRING", "votedDirectoryId of quorum-state"),
        Column("quorum_voters", "ARRAY<INT>", "currentVoters of quorum-state, kept there in version 0 only"),
        Column(
            "is_cleanly_shut",
            "BOOLEAN",
            "whether .kafka_cleanshutdown is there: only while its broker is down",
        ),
        Column("shut_broker_epoch", "BIGINT", "brokerEpoch of .kafka_cleanshutdown, from Kafka 3.7 on"),
        Column("has_bootstrap_checkpoint", "BOOLEAN", "whether bootstrap.checkpoint of KRaft is there"),
        Column(
            "metadata_snapshots",
            "ARRAY<STRUCT<end_offset: BIGINT, epoch: INT, status: STRING>>",
            "*.checkpoint files of __cluster_metadata-0: end offset (exclusive), epoch of the last record, "
            "and whether it is finished, part (being written or fetched) or deleted (about to go)",
        ),
        PROBLEM,
    ),
)

LOG_DIR_SPACE = Table(
    name="log_dir_space",
    kind=Kind.SERIES,
    meaning="room on the file system of each log dir",
    source="log_dirs",
    key=("broker_id", "path"),
    scopes={"log_dirs": "/{broker_id}{path}"},
    columns=(
        _BROKER,
        LOG_DIR,
        Column("total_bytes", "BIGINT", "size of the file system; null in a tar stream or an archive"),
        Column("free_bytes", "BIGINT", "bytes a broker may still write; null as total_bytes"),
        Column(
            "tmp_files", "INT", "files of the log dir with a new version being written, or left unfinished"
        ),
    ),
)

DISK_REPLICAS = Table(
    name="disk_replicas",
    kind=Kind.STATE,
    meaning="replica directories with their partition.metadata and leader-epoch-checkpoint",
    source="log_dirs",
    key=("broker_id", "path", "dir_name"),
    scopes={"log_dirs": "/{broker_id}{path}/{dir_name}"},
    columns=(
        _BROKER,
        LOG_DIR,
        _DIR_NAME,
        Column("topic", "STRING", "topic by the directory's name; null when the name cannot be parsed"),
        Column("partition", "INT", "partition by the directory's name"),
        Column(
            "kind",
            "STRING",
            "what the directory is: current, the target of a move, marked for deletion, or stray",
            required=True,
            one_of=("current", "future", "delete", "stray"),
        ),
        Column(
            "topic_id", "STRING", "topic_id of partition.metadata; null when the file is missing or malformed"
        ),
        Column("metadata_version", "INT", "version of partition.metadata; null when there is no such file"),
        Column("metadata_modified_at", "TIMESTAMP", "when partition.metadata was last written"),
        Column(
            "leader_epochs",
            "ARRAY<STRUCT<epoch: INT, start_offset: BIGINT>>",
            "lines of leader-epoch-checkpoint; null when there is no such file",
        ),
        PROBLEM,
    ),
)

DISK_OFFSETS = Table(
    name="disk_offsets",
    kind=Kind.SERIES,
    meaning="the checkpointed offsets of each replica; a line for a partition without a directory has no bytes",
    source="log_dirs",
    key=("broker_id", "path", "dir_name"),
    scopes={"log_dirs": "/{broker_id}{path}/{dir_name}"},
    columns=(
        _BROKER,
        LOG_DIR,
        _DIR_NAME,
        Column("topic", "STRING", "topic name"),
        Column("partition", "INT", "partition number"),
        Column("high_watermark", "BIGINT", "replication-offset-checkpoint"),
        Column("recovery_point", "BIGINT", "recovery-point-offset-checkpoint: first offset not yet flushed"),
        Column("log_start", "BIGINT", "log-start-offset-checkpoint; only where records were deleted"),
        Column("cleaner_offset", "BIGINT", "cleaner-offset-checkpoint; only for compacted topics"),
        Column(
            "log_bytes",
            "BIGINT",
            "bytes of the files in the directory; null when there is no directory, and in a tar stream",
        ),
        Column(
            "producer_snapshot_offset", "BIGINT", "end offset (exclusive) of the newest producer snapshot"
        ),
        Column("producers", "INT", "producers in that snapshot, by its size"),
    ),
)
