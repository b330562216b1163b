"""An act: something that happens to a real cluster, followed by a snapshot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from jobs.lab.cluster import KafkaCluster

Cluster = TypeVar("Cluster", bound=KafkaCluster)


@dataclass(frozen=True)
class Act(Generic[Cluster]):
    """`story` says in plain words what is done; `happens` does it."""

    title: str
    story: str
    happens: Callable[[Cluster], None]
