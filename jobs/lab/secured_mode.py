"""A KRaft cluster that asks who is there."""

from pathlib import Path

from jobs.lab.distribution import KAFKA_VERSION
from jobs.lab.keys import PASSWORD, Keys
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.ports import HOST, free_port

_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"


class SecuredKRaftCluster(KRaftCluster):
    """Every node has a second listener, SASL over TLS, with the mechanisms PLAIN and SCRAM-SHA-512.

    `users` and their passwords are known to PLAIN. Nobody but who comes by the plain listener may do anything, until
    an ACL says so (`StandardAuthorizer`).
    """

    def __init__(
        self,
        directory: Path,
        users: dict[str, str],
        controllers: int = 1,
        brokers: int = 1,
        version: str = KAFKA_VERSION,
    ) -> None:
        super().__init__(directory, controllers, brokers, version)
        self.keys = Keys(directory.resolve() / "keys")
        self._users = users
        self._secured_ports = {node_id: free_port() for node_id in (*self.brokers, *self.controllers)}

    def start(self) -> None:
        self.keys.make()
        super().start()

    @property
    def secured_servers(self) -> str:
        """The brokers' secured listeners."""
        return ",".join(f"{HOST}:{self._secured_ports[node_id]}" for node_id in self.brokers)

    @property
    def secured_controllers(self) -> str:
        """The controllers' secured listeners."""
        return ",".join(f"{HOST}:{self._secured_ports[node_id]}" for node_id in self.controllers)

    def _properties(self, node: Node) -> dict[str, str]:
        open_ones = super()._properties(node)
        names = "CONTROLLER,SECURED" if node.node_id in self.controllers else "CONTROLLER"
        protocols = open_ones["listener.security.protocol.map"]
        return {
            **open_ones,
            **self._access(),
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",
            "controller.listener.names": names,
            "listener.security.protocol.map": f"{protocols},SECURED:SASL_SSL",
            "listeners": f"{open_ones['listeners']},SECURED://{HOST}:{self._secured_ports[node.node_id]}",
        }

    def _access(self) -> dict[str, str]:
        passwords = " ".join(f'user_{user}="{password}"' for user, password in self._users.items())
        return {
            "listener.name.secured.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
            "listener.name.secured.plain.sasl.jaas.config": f"{_PLAIN} required {passwords};",
            "listener.name.secured.scram-sha-512.sasl.jaas.config": f"{_SCRAM} required;",
            "listener.name.secured.ssl.keystore.location": str(self.keys.keystore),
            "listener.name.secured.ssl.keystore.password": PASSWORD,
            "listener.name.secured.ssl.keystore.type": "PKCS12",
        }
