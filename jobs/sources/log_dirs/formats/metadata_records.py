"""The records of a metadata checkpoint that are decoded (`common/metadata/*.json`, `common/message/*.json`).

Records of any other type stay bytes: that is how config values, SCRAM credentials and tokens are dropped.
"""

from dataclasses import dataclass

from jobs.sources.log_dirs.formats.java_text import NO_ID, ParseError
from jobs.sources.log_dirs.formats.wire import Reader

RECORD_TYPES = {
    0: "RegisterBrokerRecord",
    1: "UnregisterBrokerRecord",
    2: "TopicRecord",
    3: "PartitionRecord",
    4: "ConfigRecord",
    5: "PartitionChangeRecord",
    6: "AccessControlRecord",
    7: "FenceBrokerRecord",
    8: "UnfenceBrokerRecord",
    9: "RemoveTopicRecord",
    10: "DelegationTokenRecord",
    11: "UserScramCredentialRecord",
    12: "FeatureLevelRecord",
    14: "ClientQuotaRecord",
    15: "ProducerIdsRecord",
    17: "BrokerRegistrationChangeRecord",
    18: "AccessControlEntryRecord",
    19: "RemoveAccessControlEntryRecord",
    20: "NoOpRecord",
    21: "ZkMigrationStateRecord",
    22: "RemoveUserScramCredentialRecord",
    23: "BeginTransactionRecord",
    24: "EndTransactionRecord",
    25: "AbortTransactionRecord",
    26: "RemoveDelegationTokenRecord",
    27: "RegisterControllerRecord",
    28: "ClearElrRecord",
}
"""The names of Kafka's metadata records by their apiKey (`MetadataRecordType`)."""
REGISTER_BROKER, FEATURE_LEVEL = 0, 12

_REGISTER_BROKER_VERSIONS = 3
_LOG_DIRS_TAG = 0
_SECURITY_PROTOCOLS = {0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}


@dataclass(frozen=True)
class Listener:
    """`address` is NAME://host:port; `protocol` is null where the number of it is not one of Kafka's."""

    name: str
    address: str
    protocol: str | None


@dataclass(frozen=True)
class SupportedFeature:
    """The levels of a feature that a broker supports."""

    name: str
    min_version: int
    max_version: int


@dataclass(frozen=True)
class BrokerRegistration:
    """A broker as the controller knows it. `log_dirs` are directory ids, empty before metadata.version 3.7-IV2."""

    broker_id: int
    epoch: int
    incarnation_id: str
    listeners: list[Listener]
    features: list[SupportedFeature]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    is_migrating: bool
    log_dirs: list[str]


@dataclass(frozen=True)
class Voter:
    """A voter of the metadata quorum, from kraft.version 1 on."""

    node_id: int
    directory_id: str | None


def register_broker(record: Reader, version: int) -> BrokerRegistration:
    """`RegisterBrokerRecord`. Raises ParseError, also for a version newer than 3."""
    _check_version("RegisterBrokerRecord", version, _REGISTER_BROKER_VERSIONS)
    broker_id = record.number("i")
    is_migrating = record.boolean() if version >= 2 else False
    incarnation_id, epoch = record.uuid(), record.number("q")
    listeners, features = record.array(_listener), record.array(_supported_feature)
    rack, fenced = record.nullable_string(), record.boolean()
    in_controlled_shutdown = record.boolean() if version >= 1 else False
    tagged = record.tagged_fields()
    log_dirs = tagged.get(_LOG_DIRS_TAG) if version >= 3 else None
    return BrokerRegistration(
        broker_id=broker_id,
        epoch=epoch,
        incarnation_id=incarnation_id,
        listeners=listeners,
        features=features,
        rack=rack,
        fenced=fenced,
        in_controlled_shutdown=in_controlled_shutdown,
        is_migrating=is_migrating,
        log_dirs=log_dirs.array(Reader.uuid) if log_dirs else [],
    )


def feature_level(record: Reader, version: int) -> tuple[str, int]:
    """`FeatureLevelRecord`: a feature and its finalized level."""
    _check_version("FeatureLevelRecord", version, 0)
    feature = record.string(), record.number("h")
    record.tagged_fields()
    return feature


def snapshot_header(value: Reader) -> int:
    """`SnapshotHeaderRecord`: append time of the last record in the checkpoint, in ms since 1970."""
    _check_version("SnapshotHeaderRecord", value.number("h"), 0)
    return value.number("q")


def snapshot_footer(value: Reader) -> None:
    """`SnapshotFooterRecord`, which says nothing but that the checkpoint was finished."""
    _check_version("SnapshotFooterRecord", value.number("h"), 0)


def kraft_version(value: Reader) -> int:
    """`KRaftVersionRecord`: the finalized kraft.version."""
    _check_version("KRaftVersionRecord", value.number("h"), 0)
    return value.number("h")


def voters(value: Reader) -> list[Voter]:
    """`VotersRecord`: the voters as of the checkpoint."""
    _check_version("VotersRecord", value.number("h"), 0)
    return value.array(_voter)


def _listener(record: Reader) -> Listener:
    name, host, port, protocol = record.string(), record.string(), record.number("H"), record.number("h")
    record.tagged_fields()
    shown = f"[{host}]" if ":" in host else host
    return Listener(name, f"{name}://{shown}:{port}", _SECURITY_PROTOCOLS.get(protocol))


def _supported_feature(record: Reader) -> SupportedFeature:
    feature = SupportedFeature(record.string(), record.number("h"), record.number("h"))
    record.tagged_fields()
    return feature


def _voter(value: Reader) -> Voter:
    node_id, directory_id = value.number("i"), value.uuid()
    value.array(_voter_endpoint)
    value.number("h"), value.number("h")
    value.tagged_fields()
    value.tagged_fields()
    return Voter(node_id, None if directory_id == NO_ID else directory_id)


def _voter_endpoint(value: Reader) -> None:
    value.string(), value.string(), value.number("H")
    value.tagged_fields()


def _check_version(record: str, version: int, newest: int) -> None:
    if not 0 <= version <= newest:
        raise ParseError(f"Can't read version {version} of {record}: it is newer than Kafka 4.1")
