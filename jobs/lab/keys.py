"""A key pair for the servers of the lab, made with Java's own keytool."""

import subprocess
from pathlib import Path

from jobs.lab.jvm import LabError
from jobs.lab.ports import HOST
from jobs.machine.java import find_java

PASSWORD = "changeit"
_ALIAS = "lab"


class Keys:
    """A self-signed certificate for 127.0.0.1, and for no other name, with its key.

    `keystore` holds both and `truststore` the certificate (PKCS12, PASSWORD); `ca` is the certificate as PEM.
    """

    def __init__(self, folder: Path) -> None:
        self.keystore = folder / "keys.p12"
        self.truststore = folder / "trust.p12"
        self.ca = folder / "ca.pem"

    def make(self) -> None:
        """Write the files. Raises LabError when keytool fails."""
        self.ca.parent.mkdir(parents=True, exist_ok=True)
        names = ("-dname", "CN=lab", "-ext", f"san=ip:{HOST}", "-ext", "bc:c")
        _keytool("-genkeypair", self.keystore, "-keyalg", "RSA", *names)
        _keytool("-exportcert", self.keystore, "-rfc", "-file", str(self.ca))
        _keytool("-importcert", self.truststore, "-noprompt", "-file", str(self.ca))


def _keytool(command: str, store: Path, *options: str) -> None:
    keytool = str(find_java().with_name("keytool"))
    where = ("-alias", _ALIAS, "-keystore", str(store), "-storetype", "PKCS12", "-storepass", PASSWORD)
    done = subprocess.run([keytool, command, *where, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"keytool {command} failed:\n{done.stdout}{done.stderr}")
