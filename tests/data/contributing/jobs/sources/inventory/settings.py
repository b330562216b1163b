"""Settings of the inventory source."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """`file` is a JSON object of host names by broker id."""

    model_config = ConfigDict(extra="forbid")

    file: Path
