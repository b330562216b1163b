"""Reads from the newest snapshot what a plan for topic ids rests on."""

from collections import defaultdict
from typing import Any

from jobs.lake.coverage import covers
from jobs.lake.duckdb_sql import text
from jobs.lake.read import LakeReader
from jobs.plans.places import Places
from jobs.plans.topic_id_state import Cluster, DiskReplica, Partition, Topic
from jobs.settings import ClusterSettings
from jobs.whatif.election import standing

# Before Kafka 2.8, or its inter.broker.protocol.version, no topic has an id and none is missing.
_SUSPECT = """
WITH disks AS (
  SELECT topic, list_sort(list_distinct(list(topic_id))) AS ids FROM disk_replicas
  WHERE kind = 'current' AND topic_id IS NOT NULL GROUP BY topic
), term AS (
  SELECT min(valid_from) AS began FROM controllers_history WHERE epoch = (SELECT max(epoch) FROM controllers)
), held AS (
  SELECT h.topic, arg_min(h.topic_id, h.valid_from) AS id
  FROM topics_history AS h JOIN topics AS t ON t.topic = h.topic AND t.czxid = h.czxid CROSS JOIN term
  WHERE h.topic_id IS NOT NULL AND (h.valid_to > term.began OR (h.valid_to IS NULL AND term.began IS NOT NULL))
  GROUP BY h.topic
), known AS (
  SELECT EXISTS (SELECT 1 FROM disks) OR EXISTS (SELECT 1 FROM topics_history WHERE topic_id IS NOT NULL) AS has_ids
)
SELECT t.topic, t.topic_id, held.id, t.data_version, t.is_current, t.problem, t.deletion_pending
FROM topics AS t LEFT JOIN disks USING (topic) LEFT JOIN held USING (topic) CROSS JOIN known
WHERE known.has_ids AND (t.topic_id IS NULL OR disks.ids <> [t.topic_id] OR held.id <> t.topic_id)
ORDER BY t.topic
"""
_PARTITIONS = """
SELECT topic, partition, coalesce(replicas, []), coalesce(isr, []), CASE WHEN is_current THEN leader END FROM partitions
WHERE topic IN ({topics}) ORDER BY ALL
"""
_ON_DISK = """
SELECT topic, broker_id, path, partition, topic_id, is_current AND (topic_id IS NOT NULL OR problem IS NULL)
FROM disk_replicas WHERE kind = 'current' AND topic IN ({topics}) ORDER BY ALL
"""
_ZNODES = """
SELECT path, CASE WHEN is_current AND encoding = 'utf-8' THEN data END FROM znodes WHERE path IN ({paths})
"""
_MOVING = """
SELECT topic FROM reassignments
UNION SELECT topic FROM pending_requests WHERE request = 'reassign_partitions' AND topic IS NOT NULL
"""
_ROOT = "/brokers/topics"


def read_cluster(reader: LakeReader, settings: ClusterSettings) -> Cluster:
    """The topics of one cluster whose ids are not whole, and what else decides about them."""
    suspects = reader.query(_SUSPECT).rows
    topics = _topics(reader, suspects) if suspects else ()
    moving = reader.query(f"SELECT 1 FROM ({_MOVING}) LIMIT 1").rows
    return Cluster(
        name=settings.name,
        places=_places(reader, settings),
        brokers=frozenset(
            row[0] for row in reader.query("SELECT broker_id FROM brokers WHERE is_current").rows
        ),
        is_reassigning=bool(moving),
        topics=topics,
        hindrances=_hindrances(reader, settings),
        not_seen=_not_seen(reader),
    )


def _topics(reader: LakeReader, suspects: list[tuple[Any, ...]]) -> tuple[Topic, ...]:
    names = ", ".join(text(row[0]) for row in suspects)
    paths = ", ".join(text(f"{_ROOT}/{row[0]}") for row in suspects)
    partitions = _by_topic(reader, _PARTITIONS.format(topics=names))
    on_disk = _by_topic(reader, _ON_DISK.format(topics=names))
    data = dict(reader.query(_ZNODES.format(paths=paths)).rows)
    unclean = _by_topic(
        reader, f"SELECT topic FROM ({standing()}) WHERE is_unclean_allowed AND topic IN ({names})"
    )
    moving = _by_topic(reader, f"SELECT topic FROM ({_MOVING}) WHERE topic IN ({names})")
    found = (
        Topic(
            name=name,
            topic_id=topic_id,
            controllers_id=held,
            data_version=version,
            data=data.get(f"{_ROOT}/{name}"),
            hindrances=_of_topic(name in moving, is_current, problem, is_going),
            partitions=tuple(Partition(n, tuple(r), tuple(isr), led) for n, r, isr, led in partitions[name]),
            on_disk=tuple(DiskReplica(*row) for row in on_disk[name]),
            elects_unclean=name in unclean,
        )
        for name, topic_id, held, version, is_current, problem, is_going in suspects
    )
    return tuple(topic for topic in found if not _never_had_one(topic))


def _by_topic(reader: LakeReader, sql: str) -> defaultdict[str, list[tuple[Any, ...]]]:
    """The rows of a query by its first column, without it."""
    found: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for topic, *rest in reader.query(sql).rows:
        found[topic].append(tuple(rest))
    return found


def _never_had_one(topic: Topic) -> bool:
    """Where no replica has an id yet, a new one harms nobody: Kafka 2.8 writes it with a replica's second leader change."""
    return not (topic.topic_id or topic.controllers_id or topic.disk_ids or topic.unseen or topic.hindrances)


def _of_topic(
    is_moving: bool, is_current: bool, problem: str | None, is_going: bool | None
) -> tuple[str, ...]:
    why = {
        "its znode was not seen": not is_current,
        f"its znode is malformed: {problem}": bool(problem),
        "it is being deleted": is_going is True,
        "whether it is being deleted is not known": is_going is None,
        "it is being reassigned: wait until that is done": is_moving,
    }
    return tuple(reason for reason, holds in why.items() if holds)


def _hindrances(reader: LakeReader, settings: ClusterSettings) -> tuple[str, ...]:
    ((authority,),) = reader.query("SELECT authority FROM snapshots ORDER BY snapshot_id DESC LIMIT 1").rows
    if authority != "zookeeper":
        return (
            "the cluster is not known to be in ZooKeeper mode. On KRaft a broker that starts sets a replica with another id "
            "aside as stray and copies it anew; never delete partition.metadata there",
        )
    migrating = (
        "SELECT EXISTS (SELECT 1 FROM migration) OR EXISTS (SELECT 1 FROM controllers WHERE kraft_epoch >= 0)"
    )
    controller = "SELECT count(*) FROM controllers WHERE is_current AND controller_id >= 0"
    subtrees = getattr(settings.sources.get("zookeeper"), "subtrees", [])
    why = {
        "a migration to KRaft is under way (or /migration was left behind by one)": reader.query(
            migrating
        ).rows
        == [(True,)],
        "whether a migration is under way is not known: `subtrees` leaves out /migration": subtrees
        and not covers(set(subtrees), "/migration"),
        "whether a migration is under way was not seen": covers(_gaps(reader), "/migration"),
        "no controller was seen": reader.query(controller).rows == [(0,)],
    }
    return tuple(reason for reason, holds in why.items() if holds)


def _not_seen(reader: LakeReader) -> tuple[str, ...]:
    """What may hide a topic without an id."""
    gaps = sorted(scope for scope in _gaps(reader) if covers({scope}, _ROOT))
    topics = {row[0] for row in reader.query("SELECT topic FROM topics WHERE NOT is_current").rows}
    topics |= {
        scope.removeprefix(f"{_ROOT}/") for scope in _gaps(reader) if scope.rpartition("/")[0] == _ROOT
    }
    return tuple(f"{each} was not seen" for each in (*gaps, *sorted(topics)))


def _gaps(reader: LakeReader) -> set[str]:
    """The scopes in ZooKeeper that the newest snapshot did not see."""
    return {gap.scope for as_of in reader.as_of for source, gap in as_of.gaps if source == "zookeeper"}


def _places(reader: LakeReader, settings: ClusterSettings) -> Places | None:
    zookeeper: Any = settings.sources.get("zookeeper")
    if zookeeper is None:
        return None
    kafka: Any = settings.sources.get("kafka")
    servers = kafka.brokers if kafka and kafka.brokers else _endpoints(reader)
    return Places(zookeeper.hosts, zookeeper.chroot, ",".join(servers), tuple(_notes(zookeeper, kafka)))


def _endpoints(reader: LakeReader) -> list[str]:
    """The first listener of each broker, as it is registered."""
    rows = reader.query("SELECT endpoints[1] FROM brokers WHERE len(endpoints) > 0 ORDER BY broker_id").rows
    return [endpoint.rpartition("//")[2] for (endpoint,) in rows]


def _notes(zookeeper: Any, kafka: Any) -> list[str]:
    """What the tools need where the cluster is not open."""
    why = {
        "zookeeper-shell.sh needs -zk-tls-config-file FILE after its first argument": zookeeper.tls,
        "zookeeper-shell.sh needs a login with the right to write: a JAAS file in KAFKA_OPTS": zookeeper.auth,
        "kafka-*.sh need --command-config FILE with TLS and login": kafka and (kafka.tls or kafka.auth),
    }
    return [note for note, holds in why.items() if holds]
