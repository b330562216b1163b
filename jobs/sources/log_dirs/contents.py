"""What lies in a log dir, in whichever way it was read: plain bytes, before anything is parsed."""

from dataclasses import dataclass, field

from jobs.errors import NotReadError
from jobs.sources.log_dirs.formats.names import is_replica
from schemas.snapshots import GapReason

META_PROPERTIES = "meta.properties"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"

LOG_DIR_FILES = (
    META_PROPERTIES,
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
    CLEAN_SHUTDOWN,
)
"""The small files of a log dir that are read."""

BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"

METADATA_LOG = "__cluster_metadata-0"
QUORUM_STATE = f"{METADATA_LOG}/quorum-state"

PARTITION_METADATA = "partition.metadata"
LEADER_EPOCHS = "leader-epoch-checkpoint"

NOT_REPLICAS = ("remote-log-index-cache",)
"""Directories in a log dir that Kafka knows to be no replicas (`LogManager.loadLogs`)."""

MAX_FILE_BYTES = 64 << 20
"""The largest small file that is read: a checkpoint of 200,000 partitions with the longest names."""


@dataclass(frozen=True, slots=True)
class File:
    """A file's content, and when it was last written, in nanoseconds since 1970."""

    content: bytes
    modified_ns: int


@dataclass(frozen=True, slots=True)
class ReplicaFiles:
    """The small files in one replica's directory, None for one that is not there.

    `log_bytes` is the size of all its files, and `producer_snapshot` the newest producer snapshot's name and
    size; None for what is not there or what the way of reading cannot know.
    """

    dir_name: str
    metadata: File | None = None
    leader_epochs: File | None = None
    log_bytes: int | None = None
    producer_snapshot: tuple[str, int] | None = None


@dataclass(slots=True, repr=False)
class LogDirFiles:
    """What was found in the log dir that the broker knows as `path`.

    `files` are those of LOG_DIR_FILES and QUORUM_STATE that are there, or why one could not be read; `tmp_files`
    counts those of which an unfinished new version is there. `unread` says why a replica, by its directory's name,
    could not be read. `checkpoint_names` are the names of all `*.checkpoint*` files of the metadata log, and
    `newest_checkpoint` is the name and the bytes of the newest finished one. Bytes of the disk are None where they
    cannot be known.
    """

    path: str
    files: dict[str, File | NotReadError] = field(default_factory=dict)
    has_bootstrap_checkpoint: bool = False
    tmp_files: int = 0
    replicas: list[ReplicaFiles] = field(default_factory=list)
    unread: dict[str, NotReadError] = field(default_factory=dict)
    checkpoint_names: list[str] = field(default_factory=list)
    newest_checkpoint: tuple[str, File | NotReadError] | None = None
    total_bytes: int | None = None
    free_bytes: int | None = None

    @property
    def looks_unmounted(self) -> bool:
        """Whether it holds nothing of Kafka's, as the mount point of a disk that is not mounted, or a new disk."""
        return not (self.files or self.unread or any(is_replica(found.dir_name) for found in self.replicas))


class Budget:
    """How many bytes may still be read from one broker, and how many of a metadata checkpoint."""

    def __init__(self, max_bytes: int, max_checkpoint_bytes: int) -> None:
        self.max_checkpoint_bytes = max_checkpoint_bytes
        self._left = self._max_bytes = max_bytes

    def spend(self, count: int) -> None:
        """Raises NotReadError when it is more than is left."""
        self._left -= count
        if self._left < 0:
            raise NotReadError(
                GapReason.UNREADABLE,
                f"There is more to read than {self._max_bytes} bytes: let only the small files be read, "
                "or raise max_bytes under log_dirs in varve.yaml.",
            )
