"""The settings `kafka:` of a cluster in varve.yaml."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from jobs.settings import Secret
from jobs.sources.tls import Tls

_SERVER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:,/]+):\d{1,5}")


def _are_servers(text: str) -> str:
    for server in text.split(","):
        if not _SERVER.fullmatch(server.strip()):
            raise ValueError(f"{server.strip()!r} is no host:port; write them as b1:9092,b2:9092")
    return text


Servers = Annotated[str, AfterValidator(_are_servers)]


class Auth(BaseModel):
    """Log in with SASL."""

    model_config = ConfigDict(extra="forbid")

    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
    user: str = Field(min_length=1)
    password: Secret


class Settings(BaseModel):
    """How to reach a cluster over the Kafka protocol; `timeout_s` bounds each request.

    The controllers are asked for the metadata quorum when the brokers do not return it. `auth` and `tls` are for both.
    `offsets` says whether to ask every leader for the offsets of its partitions. Of at most `max_brokers_asked` brokers,
    those of the lowest ids, it is compared whom they take for the leaders; the others are gaps.
    """

    model_config = ConfigDict(extra="forbid")

    bootstrap_servers: Servers | None = None
    bootstrap_controllers: Servers | None = None
    timeout_s: float = Field(default=15, gt=0)
    offsets: bool = True
    max_brokers_asked: int = Field(default=50, ge=0)
    auth: Auth | None = None
    tls: Tls | None = None

    @model_validator(mode="after")
    def _has_servers(self) -> "Settings":
        if not self.bootstrap_servers and not self.bootstrap_controllers:
            raise ValueError("names no servers: give bootstrap_servers, bootstrap_controllers or both")
        return self

    @property
    def brokers(self) -> list[str]:
        """The brokers to ask first, each `host:port`."""
        return _split(self.bootstrap_servers)

    @property
    def controllers(self) -> list[str]:
        """The controllers, each `host:port`."""
        return _split(self.bootstrap_controllers)


def _split(servers: str | None) -> list[str]:
    return [server.strip() for server in servers.split(",")] if servers else []
