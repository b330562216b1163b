"""What has to be so before anything is moved: somebody in control, every broker there, every partition led and writable."""

from collections.abc import Iterator, Sequence

from jobs.gates.parts.asked import Asked, named
from jobs.whatif.election import standing
from jobs.wording import counted

RESTS_ON = ("controllers", "brokers", "topics", "partitions", "configs")
"""The tables that these reasons read. `broker_settings` adds what brokers go by, where a Kafka API is configured."""

_WHAT = (
    ("not seen, or malformed", "NOT is_known"),
    ("offline", "is_known AND NOT list_contains(alive, leader)"),
    ("under min ISR", "is_known AND list_contains(alive, leader) AND len(isr) < min_isr"),
    ("being reassigned", "len(adding) > 0 OR len(removing) > 0"),
)
_LAGGING = (("out of sync", "is_known AND NOT list_has_all(isr, replicas)"),)
_CONTROL = """
SELECT controller_id, controller_id IN (SELECT broker_id FROM brokers), coalesce(kraft_epoch, -1), is_current AND problem IS NULL
FROM controllers
"""
_UNCERTAIN = "SELECT broker_id FROM brokers WHERE NOT is_current OR problem IS NOT NULL ORDER BY broker_id"
_ABSENT = """
SELECT broker_id, count(*) FROM (SELECT unnest(replicas) AS broker_id FROM partitions)
WHERE broker_id NOT IN (SELECT broker_id FROM brokers WHERE NOT coalesce(fenced, false))
GROUP BY broker_id ORDER BY broker_id
"""
_TOPICS = """
SELECT 'being deleted', count(*), list(topic ORDER BY topic)[:3] FROM topics WHERE deletion_pending
UNION ALL SELECT 'not seen, or malformed', count(*), list(topic ORDER BY topic)[:3] FROM topics
WHERE problem IS NOT NULL OR NOT is_current
"""
_UNDER_WAY = {
    "/admin/reassign_partitions": "a reassignment",
    "/admin/preferred_replica_election": "a preferred leader election",
}
_MARKERS = f"SELECT path FROM znodes WHERE path IN {tuple(_UNDER_WAY)} ORDER BY path"


def rests_on(asked: Asked) -> tuple[str, ...]:
    """The tables that the reasons rest on in this cluster."""
    return (*RESTS_ON, "broker_settings") if "kafka" in asked.sources else RESTS_ON


def not_whole(asked: Asked) -> Iterator[str]:
    """Each thing that is not as it has to be."""
    yield from _control(asked)
    for (broker_id,) in asked.rows(_UNCERTAIN):
        yield f"broker {broker_id} was not seen, or its record is malformed"
    for broker_id, replicas in asked.rows(_ABSENT):
        yield f"broker {broker_id} is not there or fenced, with {counted(replicas, 'replica')}"
    yield from _partitions(asked, _WHAT)
    for what, count, topics in asked.rows(_TOPICS):
        if count:
            yield f"{what}: {named(count, 'topic', topics)}"
    for (path,) in asked.rows(_MARKERS) if asked.authority == "zookeeper" else ():
        yield f"1 znode, {path}, says that {_UNDER_WAY[path]} is under way"


def out_of_sync(asked: Asked) -> Iterator[str]:
    """Partitions that have not all their replicas in the ISR."""
    yield from _partitions(asked, _LAGGING)


def _control(asked: Asked) -> Iterator[str]:
    found = asked.rows(_CONTROL)
    if found and found[0][0] is None and asked.authority == "kafka":
        yield "who is in control is not known: 0 quorums were seen (name bootstrap_controllers in varve.yaml)"
    elif not found or found[0][0] is None or found[0][0] < 0:
        yield "nobody is in control: 0 controllers"
    for controller_id, is_registered, kraft_epoch, is_known in found:
        if not is_known:
            yield f"whether controller {controller_id} is in control was not seen"
        elif is_registered is False and not asked.is_kraft and kraft_epoch < 0 <= controller_id:
            yield f"broker {controller_id} is the controller and is not there"


def _partitions(asked: Asked, whats: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What holds for some partition, how many there are and the first of them."""
    name = "topic || '-' || partition"
    sums = ", ".join(
        f"count(*) FILTER ({condition}), (list({name} ORDER BY topic, partition) FILTER ({condition}))[:3]"
        for _, condition in whats
    )
    (counts,) = asked.rows(f"SELECT {sums} FROM ({standing()})")
    for (what, _), count, names in zip(whats, counts[::2], counts[1::2], strict=True):
        if count:
            yield f"{what}: {named(count, 'partition', names)}"
