"""Which files to move aside where replicas of a topic have other ids on disk than the one it is to have.

A replica that is out of sync while the leader has the right id is set aside whole, and copied anew from the leader. Where
all that is in sync has another id (partitions that were added after a new id was minted) the data stays: only
`partition.metadata` goes, and in ZooKeeper mode Kafka writes it again with the id that the controller sends.
"""

from shlex import quote
from typing import NamedTuple

from jobs.plans.topic_id_state import Cluster, DiskReplica, Partition, Topic

_FILE = "partition.metadata"


class Move(NamedTuple):
    """A directory or file to move aside while its broker is stopped."""

    topic: str
    broker_id: int
    path: str
    name: str
    """Below the log dir `path`."""

    @property
    def is_whole_replica(self) -> bool:
        return not self.name.endswith(f"/{_FILE}")

    @property
    def command(self) -> str:
        """Kafka refuses to start with unknown folders in a log dir, so it goes beside it; nothing is overwritten."""
        log_dir = self.path.rstrip("/")
        from_, aside = f"{log_dir}/{self.name}", f"{log_dir}.aside"
        to = f"{aside}/{self.name.replace('/', '.')}"
        return f"mkdir -p {quote(aside)} && test ! -e {quote(to)} && mv {quote(from_)} {quote(to)}"


def undecided(topic: Topic, topic_id: str) -> list[str]:
    """The partitions for which nobody but a person can say which replica holds the data, and why."""
    return [
        f"{topic.name}-{partition.number}: {why}"
        for partition in topic.partitions
        if (why := _undecided(topic, partition, topic_id))
    ]


def moves(cluster: Cluster, topic: Topic, topic_id: str) -> tuple[list[Move], list[str]]:
    """What has to go so that every replica takes `topic_id`, and why that is not possible yet for some partitions."""
    found: list[Move] = []
    not_now: list[str] = []
    for partition in topic.partitions:
        wrong = _with_other_id(topic, partition, topic_id)
        is_foreign = not _in_sync_ids(topic, partition) & {topic_id, None}
        why_not = _why_not_move(cluster, topic, partition, is_foreign) if wrong else None
        if why_not:
            not_now.append(f"{topic.name}-{partition.number} {why_not}")
        else:
            found += [_move(disk, topic.name, whole=not is_foreign) for disk in wrong]
    return found, not_now


def _why_not_move(cluster: Cluster, topic: Topic, partition: Partition, is_foreign: bool) -> str | None:
    if is_foreign and topic.elects_unclean:
        return (
            "may be led by a broker without all its records while others are stopped: set unclean.leader.election.enable to "
            "false for the topic first"
        )
    if not is_foreign and partition.leader not in cluster.brokers:
        return "has no living leader to copy from"
    return None


def _undecided(topic: Topic, partition: Partition, topic_id: str) -> str | None:
    held = _in_sync_ids(topic, partition)
    brokers = [disk.broker_id for disk in topic.on_disk if disk.partition == partition.number]
    if len(brokers) != len(set(brokers)):
        return "a broker has it in two log dirs"
    if not _with_other_id(topic, partition, topic_id):
        return None
    if not held:
        return "it has no ISR"
    of_leader = topic.ids.get((partition.number, partition.leader if partition.leader is not None else -1))
    if topic_id in held and of_leader != topic_id:
        return "replicas in sync differ, and the leader is not known to have the right id"
    if topic_id not in held and len(held) > 1:
        return "replicas in sync differ among themselves"
    return None


def _in_sync_ids(topic: Topic, partition: Partition) -> set[str | None]:
    return {topic.ids.get((partition.number, broker)) for broker in partition.isr}


def _with_other_id(topic: Topic, partition: Partition, topic_id: str) -> list[DiskReplica]:
    return [
        disk
        for disk in topic.on_disk
        if disk.partition == partition.number
        and disk.broker_id in partition.replicas
        and disk.topic_id not in (topic_id, None)
    ]


def _move(disk: DiskReplica, topic: str, whole: bool) -> Move:
    folder = f"{topic}-{disk.partition}"
    return Move(topic, disk.broker_id, disk.path, folder if whole else f"{folder}/{_FILE}")
