"""Settings of the Kafka API source."""

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """How to reach a cluster's brokers over the Kafka protocol."""

    model_config = ConfigDict(extra="forbid")

    bootstrap_servers: str = Field(min_length=1)
    timeout_s: float = Field(default=15, gt=0)
