"""What kazoo is told about who Varve is and whom it trusts."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jobs.errors import SettingsError
from jobs.settings import resolve
from jobs.sources.zookeeper.settings import Kerberos, Password, Settings, Tls


def credentials(settings: Settings) -> dict[str, Any]:
    """Arguments for `KazooClient`. Raises SettingsError when a secret is not set or a file is not there."""
    tls = _tls_arguments(settings.tls) if settings.tls else {}
    return _auth_arguments(settings.auth) | tls


def _auth_arguments(auth: Password | Kerberos | None) -> dict[str, Any]:
    if auth is None:
        return {}
    if isinstance(auth, Kerberos):
        return {"sasl_options": _kerberos_options(auth)}
    password = resolve(auth.password)
    if auth.scheme == "digest":
        return {"auth_data": [("digest", f"{auth.user}:{password}")]}
    options = {"mechanism": "DIGEST-MD5", "username": auth.user, "password": password}
    return {"sasl_options": options}


def _kerberos_options(auth: Kerberos) -> dict[str, Any]:
    if find_spec("kerberos") is None:
        raise SettingsError(
            "`auth: {scheme: gssapi}` in a cluster's zookeeper settings takes the Python package kerberos, "
            "which is not here: pip install kerberos (it takes the headers of MIT Kerberos), then kinit."
        )
    return {"mechanism": "GSSAPI", "service": auth.service, "principal": auth.principal}


def _tls_arguments(tls: Tls) -> dict[str, Any]:
    return {
        "use_ssl": True,
        "verify_certs": True,
        "check_hostname": True,
        "ca": _file(tls.ca),
        "certfile": _file(tls.certificate),
        "keyfile": _file(tls.key),
        "keyfile_password": resolve(tls.key_password) if tls.key_password else None,
    }


def _file(path: Path | None) -> str | None:
    if path is not None and not path.is_file():
        raise SettingsError(f"There is no file {path}, and a cluster's zookeeper.tls in varve.yaml names it.")
    return str(path) if path else None
