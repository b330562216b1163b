"""Settings of the ZooKeeper source."""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from jobs.settings import Secret
from jobs.sources.tls import Tls

_CONNECT = re.compile(
    r"""(?P<hosts>(\[[0-9a-fA-F:.]+\]|[^\s,/:\[\]]+)(:\d{1,5})?
        (\s*,\s*(\[[0-9a-fA-F:.]+\]|[^\s,/:\[\]]+)(:\d{1,5})?)*)
        (?P<chroot>(/[^/]+)*)/?""",
    re.VERBOSE,
)


class Auth(BaseModel):
    """Who Varve is: by ZooKeeper's own digest scheme, or by SASL (DIGEST-MD5)."""

    model_config = ConfigDict(extra="forbid")

    scheme: Literal["digest", "sasl"]
    user: str = Field(min_length=1)
    password: Secret


class Settings(BaseModel):
    """How to reach a cluster's znodes.

    `connect` is Kafka's own `zookeeper.connect`, the chroot included: `zk1:2181,zk2:2181/kafka_cluster_01`.
    """

    model_config = ConfigDict(extra="forbid")

    connect: str = Field(min_length=1)
    timeout_s: float = Field(default=10, gt=0)
    max_reads_per_second: int = Field(default=20_000, gt=0)
    auth: Auth | None = None
    tls: Tls | None = None

    @field_validator("connect")
    @classmethod
    def _is_a_connect_string(cls, connect: str) -> str:
        if not _CONNECT.fullmatch(connect.strip()):
            raise ValueError("not like zk1:2181,zk2:2181/chroot")
        return connect.strip()

    @property
    def hosts(self) -> str:
        """The servers: `zk1:2181,zk2:2181`."""
        return self._parts()["hosts"]

    @property
    def chroot(self) -> str:
        """The path below which the cluster lives, without a slash at its end; empty when it is the root."""
        return self._parts()["chroot"]

    def _parts(self) -> dict[str, str]:
        match = _CONNECT.fullmatch(self.connect)
        return match.groupdict() if match else {"hosts": self.connect, "chroot": ""}
