"""A KRaft cluster whose clients must log in over TLS, with keys made by Java's own keytool."""

import subprocess
from pathlib import Path

from jobs.lab.distribution import KAFKA_VERSION
from jobs.lab.jvm import LabError
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.ports import HOST, free_port
from jobs.machine.java import find_java

_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
_PASSWORD = "changeit"
_ALIAS = "lab"


class SecuredKRaftCluster(KRaftCluster):
    """Every node has a second listener, SASL over TLS, with the mechanisms PLAIN and SCRAM-SHA-512.

    `users` and their passwords are known to PLAIN. Clients of the plain listener may do everything, all others
    nothing until an ACL allows it (`StandardAuthorizer`).
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
            "listener.name.secured.ssl.keystore.password": _PASSWORD,
            "listener.name.secured.ssl.keystore.type": "PKCS12",
        }


class Keys:
    """A self-signed certificate for 127.0.0.1 and no other name.

    `keystore` holds it with its key (PKCS12), `ca` holds it alone (PEM).
    """

    def __init__(self, folder: Path) -> None:
        self.keystore = folder / "keys.p12"
        self.ca = folder / "ca.pem"

    def make(self) -> None:
        """Write the files. Raises LabError when keytool fails."""
        self.ca.parent.mkdir(parents=True, exist_ok=True)
        names = ("-dname", "CN=lab", "-ext", f"san=ip:{HOST}", "-ext", "bc:c")
        _keytool("-genkeypair", self.keystore, "-keyalg", "RSA", *names)
        _keytool("-exportcert", self.keystore, "-rfc", "-file", str(self.ca))


def _keytool(command: str, store: Path, *options: str) -> None:
    keytool = str(find_java().with_name("keytool"))
    where = ("-alias", _ALIAS, "-keystore", str(store), "-storetype", "PKCS12", "-storepass", _PASSWORD)
    done = subprocess.run([keytool, command, *where, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"keytool {command} failed:\n{done.stdout}{done.stderr}")
