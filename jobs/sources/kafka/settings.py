"""Settings of the Kafka API source."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_SERVER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:,/]+):\d{1,5}")


def _are_servers(text: str) -> str:
    for server in text.split(","):
        if not _SERVER.fullmatch(server.strip()):
            raise ValueError(f"{server.strip()!r} is no host:port; write them as b1:9092,b2:9092")
    return text


class Settings(BaseModel):
    """How to reach a cluster's brokers over the Kafka protocol; `timeout_s` bounds each question."""

    model_config = ConfigDict(extra="forbid")

    bootstrap_servers: Annotated[str, AfterValidator(_are_servers)]
    timeout_s: float = Field(default=15, gt=0)

    @property
    def servers(self) -> list[str]:
        return [server.strip() for server in self.bootstrap_servers.split(",")]
