"""`varve gate migrate`: a migration from ZooKeeper to KRaft may begin.

It judges what a snapshot shows: that every topic, partition and setting is as `ZkMigrationClient` can copy it, and that no broker
will set a replica aside (`LogManager.isStrayKraftReplica`). Properties files, the authorizer and the controllers-to-be it does
not see.
"""

from collections.abc import Iterator

from jobs.gates.parts import topic_ids, whole
from jobs.gates.parts.asked import Asked, named
from jobs.gates.parts.gate import Gate

_RESTS_ON = (
    *whole.RESTS_ON,
    *topic_ids.RESTS_ON,
    *("broker_settings", "migration", "log_dirs", "scram_credentials", "delegation_tokens"),
)
_PROTOCOL = "inter.broker.protocol.version"
_FIRST = (3, 4)
"""Brokers can migrate from this inter.broker.protocol.version on (`MetadataVersion.isMigrationSupported`)."""
_LATER = (
    ("SCRAM user", (3, 5), 'SELECT count(DISTINCT "user") FROM scram_credentials'),
    ("delegation token", (3, 6), "SELECT count(*) FROM delegation_tokens"),
    (
        "broker with more than one log dir",
        (3, 7),
        "SELECT count(*) FROM (SELECT broker_id FROM log_dirs WHERE broker_id IN (SELECT broker_id FROM brokers) "
        "GROUP BY broker_id HAVING count(*) > 1)",
    ),
)
"""What KRaft can hold only from a later version on (`isScramSupported`, `isDelegationTokenSupported`, KIP-858)."""
_VERSIONS = f"""
SELECT broker_id, value FROM brokers LEFT JOIN (
  SELECT broker_id, value FROM broker_settings WHERE name = '{_PROTOCOL}' AND is_current
) USING (broker_id) ORDER BY broker_id
"""
_WITHOUT_ID = """
SELECT count(*), list(topic ORDER BY topic)[:3] FROM topics
WHERE topic_id IS NULL AND problem IS NULL AND NOT coalesce(deletion_pending, false)
"""
_WITHOUT_METADATA = """
SELECT count(*), list(dir_name || ' of broker ' || broker_id ORDER BY broker_id, dir_name)[:3] FROM disk_replicas
WHERE kind = 'current' AND topic_id IS NULL AND topic IS DISTINCT FROM '__cluster_metadata'
"""
_BEGUN = "SELECT metadata_offset FROM migration WHERE is_copied OR problem IS NOT NULL"
_RULED = "SELECT controller_id FROM controllers WHERE kraft_epoch >= 0"
_WRITTEN = "SELECT controller_id FROM migration"


def _reasons(asked: Asked) -> Iterator[str]:
    yield from whole.not_whole(asked)
    yield from whole.out_of_sync(asked)
    yield from topic_ids.ids_at_risk(asked)
    yield from _begun(asked)
    ((topics, names),) = asked.rows(_WITHOUT_ID)
    if topics:
        yield f"without a topic id, on which the migration ends: {named(topics, 'topic', names)}"
    ((replicas, names),) = asked.rows(_WITHOUT_METADATA)
    if replicas:
        yield f"without an id in partition.metadata, so that KRaft sets it aside: {named(replicas, 'replica', names)}"
    yield from _versions(asked)


def _begun(asked: Asked) -> Iterator[str]:
    """A migration that is under way, or one that was given up and would be taken for finished."""
    if asked.is_kraft:
        yield "KRaft is in control already"
    # Where ZooKeeper is read, the tables follow the API only while `/controller` names a KRaft controller.
    is_under_way = asked.authority == "kafka" and "zookeeper" in asked.sources and not asked.is_kraft
    ruled = asked.rows(_WRITTEN if is_under_way else _RULED)
    for (controller_id,) in ruled:
        yield f"node {controller_id}, a KRaft controller, is in control already"
    for (offset,) in [] if ruled or asked.is_kraft else asked.rows(_BEGUN):
        yield (
            f"/migration is left behind and says that all is copied, up to offset {offset}: the next migration would copy "
            "nothing and delete the topics it does not know"
        )


def _versions(asked: Asked) -> Iterator[str]:
    found = {broker_id: _version(value) for broker_id, value in asked.rows(_VERSIONS)}
    for broker_id, version in found.items():
        if version is None:
            yield f"the {_PROTOCOL} of broker {broker_id} is not known"
        elif version < _FIRST:
            yield f"the {_PROTOCOL} of broker {broker_id} is {_written(version)}, and 3.4 is needed"
    known = {version for version in found.values() if version}
    if len(known) > 1:
        yield f"brokers go by {len(known)} {_PROTOCOL}s: {', '.join(map(_written, sorted(known)))}"
    for noun, first, sql in _LATER:
        ((count,),) = asked.rows(sql)
        if count and known and min(known) < first:
            yield f"no {noun} can be migrated before {_PROTOCOL} {_written(first)}, and there are {count}"


def _version(value: str | None) -> tuple[int, int] | None:
    """`(3, 9)` of `3.9-IV0`; None of what is no version."""
    major, _, minor = (value or "").partition("-")[0].partition(".")
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else None


def _written(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


GATE = Gate(
    meaning="a migration from ZooKeeper to KRaft may begin",
    rests_on=lambda _: _RESTS_ON,
    reasons=_reasons,
)
