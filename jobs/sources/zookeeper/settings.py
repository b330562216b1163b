"""Settings of the ZooKeeper source."""

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """How to reach a cluster's znodes.

    `connect` is Kafka's own `zookeeper.connect`, the chroot included: `zk1:2181,zk2:2181/kafka_cluster_01`.
    """

    model_config = ConfigDict(extra="forbid")

    connect: str = Field(min_length=1)
    timeout_s: float = Field(default=10, gt=0)
    max_reads_per_second: int = Field(default=20_000, gt=0)
