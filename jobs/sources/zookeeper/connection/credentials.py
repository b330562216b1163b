"""Turns the auth and tls settings into arguments for kazoo's client."""

from importlib.util import find_spec
from typing import Any

from jobs.errors import SettingsError
from jobs.settings import resolve
from jobs.sources.tls import Tls, existing_file
from jobs.sources.zookeeper.settings import Kerberos, Password, Settings


def credentials(settings: Settings) -> dict[str, Any]:
    """Arguments for `KazooClient`. Raises SettingsError when a secret is not set or a file does not exist."""
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
            "`auth: {scheme: gssapi}` in a cluster's zookeeper settings needs the Python package kerberos, "
            "which is not installed: pip install kerberos (it needs the headers of MIT Kerberos), then kinit."
        )
    return {"mechanism": "GSSAPI", "service": auth.service, "principal": auth.principal}


def _tls_arguments(tls: Tls) -> dict[str, Any]:
    return {
        "use_ssl": True,
        "verify_certs": True,
        "check_hostname": True,
        "ca": existing_file(tls.ca),
        "certfile": existing_file(tls.certificate),
        "keyfile": existing_file(tls.key),
        "keyfile_password": resolve(tls.key_password) if tls.key_password else None,
    }
