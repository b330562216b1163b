"""Settings of the log dirs source."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, RootModel


class BrokerLogDirs(BaseModel):
    """The log dirs of one broker (or controller) that this machine can read as files."""

    model_config = ConfigDict(extra="forbid")

    broker: int = Field(ge=0)
    local: list[Path] = Field(min_length=1)


class Settings(RootModel[list[BrokerLogDirs]]):
    """The log dirs of all brokers that are read."""
