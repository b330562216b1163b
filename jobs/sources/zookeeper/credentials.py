"""What kazoo is told about who Varve is and whom it trusts."""

from typing import Any

from jobs.settings import resolve
from jobs.sources.tls import Tls, existing_file
from jobs.sources.zookeeper.settings import Auth, Settings


def credentials(settings: Settings) -> dict[str, Any]:
    """Arguments for `KazooClient`. Raises SettingsError when a secret is not set or a file is not there."""
    auth = _auth_arguments(settings.auth) if settings.auth else {}
    tls = _tls_arguments(settings.tls) if settings.tls else {}
    return auth | tls


def _auth_arguments(auth: Auth) -> dict[str, Any]:
    password = resolve(auth.password)
    if auth.scheme == "digest":
        return {"auth_data": [("digest", f"{auth.user}:{password}")]}
    options = {"mechanism": "DIGEST-MD5", "username": auth.user, "password": password}
    return {"sasl_options": options}


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
