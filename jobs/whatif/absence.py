"""What some brokers' absence would do to one cluster, partition by partition."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jobs.lake.read import LakeReader
from jobs.whatif.election import Outcome, away, elections
from jobs.wording import printable


class Fate(NamedTuple):
    """What becomes of a partition; see `jobs.whatif.election.elections`."""

    topic: str
    partition: int
    outcome: str
    leader: int
    leader_after: int
    election: str | None
    replicas: list[int]
    isr: list[int]
    isr_after: list[int] | None
    min_isr: int
    is_min_isr_assumed: bool


@dataclass(frozen=True)
class Absence:
    """The brokers that go away, and every partition that has a replica on one of them, the worst first."""

    brokers: tuple[int, ...]
    fates: Sequence[Fate]
    notes: tuple[str, ...]
    """What the answer assumes, and what it could not see."""

    def count(self, outcome: Outcome) -> int:
        """How many partitions end so."""
        return sum(fate.outcome == outcome for fate in self.fates)

    @property
    def moves(self) -> Counter[int]:
        """How many leaders each broker would take over."""
        return Counter(
            fate.leader_after
            for fate in self.fates
            if fate.leader_after >= 0 and fate.leader_after != fate.leader
        )


_KNOWN = (
    "SELECT broker_id, rack, coalesce(fenced, false), is_current FROM brokers "
    "UNION ALL SELECT DISTINCT unnest(replicas), NULL, NULL, true FROM partitions"
)
_UNSEEN = "SELECT count_if(NOT is_current) FROM configs"


def chosen_brokers(reader: LakeReader, brokers: Collection[int], rack: str | None) -> set[int]:
    """Those of the brokers that one cluster has, and every broker of the rack."""
    known = reader.query(_KNOWN).rows
    in_rack = {broker_id for broker_id, its_rack, *_ in known if rack is not None and its_rack == rack}
    return {broker_id for broker_id, *_ in known if broker_id in brokers} | in_rack


def absence(reader: LakeReader, brokers: Collection[int]) -> Absence:
    """What happens to one cluster when these brokers go away at once."""
    columns = ", ".join(Fate._fields)
    order = f"list_position({[str(each) for each in Outcome]}, outcome), topic, partition"
    found = reader.query(f"SELECT {columns} FROM ({elections(away(brokers))}) ORDER BY {order}").rows
    fates = [Fate(*row) for row in found]
    return Absence(tuple(sorted(brokers)), fates, tuple(_notes(reader, set(brokers), fates)))


def _notes(reader: LakeReader, brokers: set[int], fates: Sequence[Fate]) -> Iterator[str]:
    registered = {row[0]: row[2:] for row in reader.query(_KNOWN).rows if row[2] is not None}
    for broker_id in sorted(brokers):
        is_fenced, is_current = registered.get(broker_id, (None, True))
        if is_fenced is None:
            yield f"broker {broker_id} is not registered: it is away already"
        elif is_fenced:
            yield f"broker {broker_id} is fenced: it is away already"
        if not is_current:
            yield f"the snapshot did not see whether broker {broker_id} is there"
    if assumed := {fate.topic for fate in fates if fate.is_min_isr_assumed}:
        yield (
            f"min.insync.replicas of {_some(assumed)} is assumed to be 1, Kafka's default: "
            "no config of the topic or of a broker says it"
        )
    ((unseen,),) = reader.query(_UNSEEN).rows
    if unseen:
        yield f"{unseen} configs are as an earlier snapshot saw them"


def _some(topics: Collection[str]) -> str:
    first, *more = sorted(topics)
    return printable(first) + (f" and {len(more)} more topics" if more else "")
