"""Settings of the log dirs source."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, model_validator


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"{path} is not absolute: write the path as in the broker's log.dirs, from /")
    return path


class BrokerLogDirs(BaseModel):
    """The log dirs of one broker (or controller) that this machine can read as files."""

    model_config = ConfigDict(extra="forbid")

    broker: int = Field(ge=0)
    local: list[Annotated[Path, AfterValidator(_absolute)]] = Field(min_length=1)


class Settings(RootModel[list[BrokerLogDirs]]):
    """The log dirs of all brokers that are read."""

    @model_validator(mode="after")
    def _are_named_once(self) -> "Settings":
        named = [(entry.broker, path) for entry in self.root for path in entry.local]
        for broker, path in named:
            if named.count((broker, path)) > 1:
                raise ValueError(f"{path} of broker {broker} is named twice")
        return self
