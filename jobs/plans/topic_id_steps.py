"""The steps that a plan for topic ids is made of, each with what must be so before and after."""

import json
from collections.abc import Iterable, Iterator

from jobs.plans.mixed_ids import Move, undecided
from jobs.plans.places import LONGEST_ARGUMENT, Places
from jobs.plans.step import COMMAND, Step
from jobs.plans.topic_id_state import Cluster, Partition, Topic

LATENT, MISMATCH, MIXED = "latent", "mismatch", "mixed"


def restore(cluster: Cluster, places: Places, topic: Topic) -> Step:
    """The znode gets the id back that the controller and the disks still have."""
    healthy = next((each for each in topic.partitions if _is_healthy(cluster, each)), None)
    if topic.hindrances:
        not_now = topic.hindrances
    elif healthy and not cluster.is_reassigning:
        return _reassign(places, topic, healthy)
    elif len(topic.disk_ids) > 1:
        not_now = (_why_not_reassign(cluster), f"the disks have {', '.join(sorted(topic.disk_ids))}")
    else:
        written = _write(places, topic, LATENT)
        if not written.not_now:
            return written
        not_now = (_why_not_reassign(cluster), *written.not_now)
    return Step(topic.name, LATENT, "Do not move the controller, and restart no broker.", not_now=not_now)


def _why_not_reassign(cluster: Cluster) -> str:
    if cluster.is_reassigning:
        return "a reassignment is under way: wait until it is done"
    return "no partition has all its replicas alive and in sync: bring the brokers back that are down"


def _is_healthy(cluster: Cluster, partition: Partition) -> bool:
    """The controller refuses a dead replica, and moves the leader of a partition that has none."""
    replicas = set(partition.replicas)
    return (
        bool(replicas)
        and replicas <= cluster.brokers
        and replicas == set(partition.isr)
        and partition.leader in replicas
    )


def _reassign(places: Places, topic: Topic, partition: Partition) -> Step:
    name = f"{topic.name}-{partition.number}"
    return Step(
        topic.name,
        LATENT,
        f"Reassign {name} to the replicas it has, in the order it has them: no data moves, and the controller writes the "
        "whole znode with the id it has in memory.",
        before=(
            *places.notes,
            f"{name} still has the replicas {list(partition.replicas)}, all of them in sync:",
            COMMAND + places.describe(topic.name),
            "nothing is being reassigned:",
            COMMAND + places.reassignments,
        ),
        run=places.reassign(topic.name, partition.number, partition.replicas),
        after=(
            f"the znode has {_expected(topic)}; if it has not, stop here:",
            COMMAND + places.get(_znode(topic)),
        ),
    )


def _expected(topic: Topic) -> str:
    ids = sorted(topic.disk_ids)
    if len(ids) > 1:
        return f"a topic_id, and then plan again, for the disks have {', '.join(ids)}"
    return f'"topic_id":"{ids[0]}"' if ids else "a topic_id again"


def put_back(places: Places, topic: Topic) -> Step:
    """The znode gets the id back that the disks have, in place of the one that an election minted."""
    return _write(places, topic, MISMATCH if len(topic.disk_ids) == 1 else MIXED)


def _write(places: Places, topic: Topic, state: str) -> Step:
    topic_id = topic.held_id
    if not_now := tuple(why_not_write(topic, topic_id)):
        return Step(topic.name, state, "Leave its znode alone.", not_now=not_now)
    data, path = _with_id(topic, topic_id or ""), places.path(_znode(topic))
    fits = len(data) < LONGEST_ARGUMENT
    by_hand = (
        ""
        if fits
        else " It is too long for a command line: write it with a client, its other fields as they are."
    )
    return Step(
        topic.name,
        state,
        f"Write topic_id {topic_id} into {path}, on condition that its dataVersion is {topic.data_version}.{by_hand}",
        before=(
            *places.notes,
            "the partitions are those of the command; where somebody writes the znode meanwhile, the command fails:",
            COMMAND + places.get(_znode(topic)),
        ),
        run=places.write(_znode(topic), data, topic.data_version) if fits else "",
        after=(
            f'the znode has "topic_id":"{topic_id}"; where the version did not match, nothing was written: '
            "take a snapshot and plan again:",
            COMMAND + places.get(_znode(topic)),
        ),
    )


def why_not_write(topic: Topic, topic_id: str | None) -> Iterator[str]:
    yield from topic.hindrances
    if topic.unseen:
        yield f"the ids on disk of {_some(topic.unseen)} are not known"
    if topic.data is None:
        yield "the data of its znode is not known to the byte"
    if topic_id is None:
        yield "the replicas in sync hold no id, or as many hold one as another"
    else:
        yield from undecided(topic, topic_id)


def _with_id(topic: Topic, topic_id: str) -> str:
    """The znode as Kafka 2.8 and newer write it; what else stands in it stays."""
    data = json.loads(topic.data or "{}") | {"version": 3, "topic_id": topic_id}
    return json.dumps(data, separators=(",", ":"))


def elect(cluster: Cluster, places: Places, waiting: list[Topic], open_ones: tuple[str, ...]) -> Step:
    names = [topic.name for topic in waiting]
    return Step(
        "controller",
        MISMATCH,
        f"Let one controller be elected, which reads the ids of {_some(names)} from ZooKeeper.",
        before=(
            *places.notes,
            "no topic lacks its id now: each that does gets a new one, and is broken by it. In a plan of this minute no step "
            "comes before this one:",
            f"{COMMAND}varve snapshot {cluster.name}",
            f"{COMMAND}varve plan topic-id --cluster {cluster.name}",
        ),
        run="" if open_ones else places.delete("/controller"),
        after=(
            "there is a controller, and every replica of these topics rejoins its ISR within a minute, without a restart:",
            COMMAND + places.get("/controller"),
            *(COMMAND + places.describe(name) for name in names),
        ),
        not_now=open_ones,
    )


def move_aside(places: Places, broker_id: int, of_broker: list[Move], open_ones: tuple[str, ...]) -> Step:
    names = sorted({move.topic for move in of_broker})
    files = [move for move in of_broker if not move.is_whole_replica]
    unclean = (
        "unclean.leader.election.enable is false, else a broker without all records may be elected meanwhile:",
        *(COMMAND + places.configs(name) for name in sorted({move.topic for move in files})),
    )
    return Step(
        f"broker {broker_id}",
        MIXED,
        f"Stop broker {broker_id}, move aside there what has another id of {_some(names)}, and start it again.",
        before=(
            *places.notes,
            "the brokers of the steps before are back; no other broker is stopped until this one is back:",
            *(COMMAND + places.describe(name) for name in names),
            *(unclean if files else ()),
            f"broker {broker_id} was shut down properly, and its process has ended.",
        ),
        run="" if open_ones else "\n".join(move.command for move in of_broker),
        after=(
            f"broker {broker_id} is started and back. {_rejoins(bool(files))} Keep what was moved aside until then:",
            *(COMMAND + places.describe(name) for name in names),
        ),
        not_now=open_ones,
    )


def _rejoins(is_rolling: bool) -> str:
    if is_rolling:
        return "Partitions whose partition.metadata was moved serve nobody until the last of their brokers is through."
    return "It copies the replicas from their leaders and rejoins their ISR."


def _znode(topic: Topic) -> str:
    return f"/brokers/topics/{topic.name}"


def _some(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    return ", ".join(shown[:5]) + more
