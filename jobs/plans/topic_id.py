"""The plan that makes topic ids whole again: `/brokers/topics/T` and every `partition.metadata` say the same.

A topic is latent when its znode lost the id while controller and disks have it: any election mints a new one. So every
latent topic is defused first, then ids are put back that an election replaced, then one election makes the controller
read them, and last come the few replicas that have yet another id.
See `KafkaController.processTopicIds`, `ReplicaManager.becomeLeaderOrFollower`.
"""

from collections.abc import Iterator
from itertools import groupby

from jobs.plans.mixed_ids import Move, moves
from jobs.plans.places import Places
from jobs.plans.step import Step
from jobs.plans.topic_id_state import Cluster, Topic
from jobs.plans.topic_id_steps import (
    LATENT,
    MISMATCH,
    MIXED,
    elect,
    move_aside,
    put_back,
    restore,
    why_not_write,
)


def plan(cluster: Cluster) -> list[Step]:
    """Every step, the safest first. Steps that must not be taken now say why."""
    if cluster.hindrances or not cluster.places:
        return [_refused(cluster, topic) for topic in cluster.topics]
    return list(_steps(cluster, cluster.places))


def _steps(cluster: Cluster, places: Places) -> Iterator[Step]:
    restored = {topic.name: restore(cluster, places, topic) for topic in cluster.topics if _is_latent(topic)}
    replaced = {
        topic.name: put_back(places, topic)
        for topic in cluster.topics
        if not _is_latent(topic) and topic.topic_id != topic.held_id
    }
    steps = restored | replaced
    yield from steps.values()
    lacking = [t.name for t in cluster.topics if not t.topic_id and steps[t.name].not_now]
    open_ones = (*(f"{name} lacks its id" for name in lacking), *cluster.not_seen)
    waiting = [t for t in cluster.topics if _waits_for_election(t, replaced)]
    if waiting:
        yield elect(cluster, places, waiting, open_ones)
    decided = [t for t in cluster.topics if t.held_id and not _is_latent(t) and not _is_stuck(t, replaced)]
    yield from _moved(cluster, places, decided, open_ones)


def _is_latent(topic: Topic) -> bool:
    """Whether what the controller has in memory is what the disks have, as far as a snapshot can tell."""
    return not topic.topic_id and (not topic.controllers_id or topic.disk_ids <= {topic.controllers_id})


def _is_stuck(topic: Topic, replaced: dict[str, Step]) -> bool:
    return topic.name in replaced and bool(replaced[topic.name].not_now)


def _waits_for_election(topic: Topic, replaced: dict[str, Step]) -> bool:
    if topic.name in replaced:
        return not replaced[topic.name].not_now
    return bool(topic.topic_id and topic.controllers_id and topic.controllers_id != topic.topic_id)


def _refused(cluster: Cluster, topic: Topic) -> Step:
    state = LATENT if _is_latent(topic) else MISMATCH
    unreachable = ("varve.yaml does not say how to reach this cluster's ZooKeeper",)
    not_now = (*(cluster.hindrances or unreachable), *topic.hindrances)
    return Step(topic.name, state, "Change nothing.", not_now=not_now)


def _moved(
    cluster: Cluster, places: Places, topics: list[Topic], open_ones: tuple[str, ...]
) -> Iterator[Step]:
    """One broker after the other; a broker that stops may be the controller, so no topic may lack its id."""
    found: list[Move] = []
    for topic in topics:
        of_topic, not_now = _moves_of(cluster, topic)
        found += of_topic
        if not_now:
            yield Step(topic.name, MIXED, "Move nothing of it aside.", not_now=tuple(not_now))
    for broker_id, of_broker in groupby(
        sorted(found, key=lambda move: move.broker_id), key=lambda move: move.broker_id
    ):
        yield move_aside(places, broker_id, list(of_broker), open_ones)


def _moves_of(cluster: Cluster, topic: Topic) -> tuple[list[Move], list[str]]:
    if not topic.held_id or topic.disk_ids <= {topic.held_id}:
        return [], []
    reasons = list(why_not_write(topic, topic.held_id))
    return ([], reasons) if reasons else moves(cluster, topic, topic.held_id)
