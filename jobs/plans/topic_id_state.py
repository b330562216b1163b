"""What a snapshot knows of the topics whose ids are not whole: the input of their plan."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from jobs.plans.places import Places


@dataclass(frozen=True)
class Partition:
    """A partition as ZooKeeper has it; `leader` is -1 for none, and None before the first election or where it was not seen."""

    number: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int | None


@dataclass(frozen=True)
class DiskReplica:
    """A replica's directory on a broker. `is_seen`: the snapshot read it, and what it read is well-formed."""

    broker_id: int
    path: str
    partition: int
    topic_id: str | None
    is_seen: bool


@dataclass(frozen=True)
class Topic:
    """A topic whose id is gone from its znode or contradicted."""

    name: str
    topic_id: str | None
    """The id in the znode."""
    controllers_id: str | None
    """The id that the living controller works with, where a snapshot saw it in the znode during its term."""
    data_version: int
    data: str | None
    """The znode's data; None where it is not known to the byte."""
    hindrances: tuple[str, ...]
    """Why its znode must be left alone now: it was not seen, is malformed, or is being deleted or reassigned."""
    partitions: tuple[Partition, ...]
    on_disk: tuple[DiskReplica, ...]
    elects_unclean: bool = False
    """Whether unclean.leader.election.enable is on for it, as far as the snapshot knows."""

    @cached_property
    def ids(self) -> dict[tuple[int, int], str | None]:
        """The id that each assigned replica has on disk, by partition and broker; only of those that were seen.

        Directories of brokers that a partition is not assigned to stay where they are; they may be of an earlier topic.
        """
        return {
            (disk.partition, disk.broker_id): disk.topic_id
            for disk in self.on_disk
            if disk.is_seen and (disk.partition, disk.broker_id) in self._assigned
        }

    @cached_property
    def disk_ids(self) -> set[str]:
        """The ids on the disks that were seen."""
        return {topic_id for topic_id in self.ids.values() if topic_id}

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The replicas whose id on disk is not known."""
        return tuple(
            f"{self.name}-{number} on broker {broker}"
            for number, broker in self._assigned
            if (number, broker) not in self.ids
        )

    @cached_property
    def _assigned(self) -> dict[tuple[int, int], None]:
        """The partition and broker of every replica, in the order of the assignment."""
        return dict.fromkeys((each.number, broker) for each in self.partitions for broker in each.replicas)

    @cached_property
    def held_id(self) -> str | None:
        """The id under which the data in sync lies: of most partitions, the znode's where as many have another.

        Replicas out of sync do not count: theirs may be of an earlier topic of that name. None where it is open.
        """
        held: Counter[str] = Counter()
        for partition in self.partitions:
            in_sync = {self.ids.get((partition.number, broker)) for broker in partition.isr}
            held.update(topic_id for topic_id in in_sync if topic_id and len(in_sync) == 1)
        if not held:
            return None
        most = [topic_id for topic_id, count in held.items() if count == max(held.values())]
        return self.topic_id if self.topic_id in most else most[0] if len(most) == 1 else None


@dataclass(frozen=True)
class Cluster:
    """A cluster, and those of its topics whose ids are not whole."""

    name: str
    places: Places | None
    """None where varve.yaml does not say how to reach ZooKeeper."""
    brokers: frozenset[int]
    """The living ones."""
    is_reassigning: bool
    topics: tuple[Topic, ...]
    hindrances: tuple[str, ...] = ()
    """Why nothing may be done in the whole cluster, such as a migration."""
    not_seen: tuple[str, ...] = ()
    """Topics, or a part of the tree, that may hide another topic without an id."""
