"""The settings `zookeeper:` of a cluster in varve.yaml."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from jobs.settings import Secret
from jobs.sources.tls import Tls

_CONNECT = re.compile(
    r"""(?P<hosts>(\[[0-9a-fA-F:.]+\]|[^\s,/:\[\]]+)(:\d{1,5})?
        (\s*,\s*(\[[0-9a-fA-F:.]+\]|[^\s,/:\[\]]+)(:\d{1,5})?)*)
        (?P<chroot>(/[^/]+)*)/?""",
    re.VERBOSE,
)
_SUBTREE = re.compile(r"(/[^/]+)+")


def _a_subtree(path: str) -> str:
    if not _SUBTREE.fullmatch(path):
        raise ValueError(f"{path!r} is no path below the chroot, such as /brokers")
    return path


class Password(BaseModel):
    """Log in with a user and a password: by ZooKeeper's own digest scheme, or by SASL (DIGEST-MD5)."""

    model_config = ConfigDict(extra="forbid")

    scheme: Literal["digest", "sasl"]
    user: str = Field(min_length=1)
    password: Secret


class Kerberos(BaseModel):
    """Log in with the Kerberos ticket of the user that Varve runs as (SASL GSSAPI).

    This needs the Python package `kerberos`. `service` is the first part of the servers' own principal.
    """

    model_config = ConfigDict(extra="forbid")

    scheme: Literal["gssapi"]
    service: str = Field(default="zookeeper", min_length=1)
    principal: str | None = None


class Settings(BaseModel):
    """How to reach a cluster's znodes.

    `connect` is Kafka's own `zookeeper.connect` with the chroot: `zk1:2181,zk2:2181/kafka_cluster_01`.
    `timeout_s` bounds the wait for a session and for each answer. `subtrees` are paths below the chroot; without them
    the whole tree is read.
    """

    model_config = ConfigDict(extra="forbid")

    connect: str = Field(min_length=1)
    timeout_s: float = Field(default=10, gt=0)
    max_reads_per_second: int = Field(default=20_000, gt=0)
    subtrees: list[Annotated[str, AfterValidator(_a_subtree)]] = []
    auth: Annotated[Password | Kerberos, Field(discriminator="scheme")] | None = None
    tls: Tls | None = None

    @field_validator("connect")
    @classmethod
    def _is_a_connect_string(cls, connect: str) -> str:
        if not _CONNECT.fullmatch(connect.strip()):
            raise ValueError(f"{connect!r} is not written like zk1:2181,zk2:2181/chroot")
        return connect.strip()

    @property
    def hosts(self) -> str:
        """The servers: `zk1:2181,zk2:2181`."""
        return self._parts()["hosts"]

    @property
    def chroot(self) -> str:
        """The path of the cluster in ZooKeeper, without a slash at its end; empty when it is the root."""
        return self._parts()["chroot"]

    def _parts(self) -> dict[str, str]:
        match = _CONNECT.fullmatch(self.connect)
        return match.groupdict() if match else {"hosts": self.connect, "chroot": ""}
