"""Where secrets live in Kafka's znodes, and what is kept of them.

`kafka.zk.ZkData.SensitiveRootPaths` names `/config/users` (SCRAM credentials), `/config/brokers` (encrypted
passwords) and `/delegation_token/tokens` (a token's id is half of a credential; its change notifications carry it
too). Without `zookeeper.set.acl` all of them are world readable, so the path decides and not the ACL.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from jobs.sources.zookeeper.broker_configs import is_shown

Fingerprint = Callable[[str], str]

_TOKENS = "/delegation_token/tokens/"
_TOKEN = re.compile(rf"^(.*?{_TOKENS})([^/]+)(.*)$")
_TOKEN_CHANGES = "/delegation_token/token_changes/"
_CONFIG = "/config/"
_SENSITIVE_CONFIG = re.compile(r"/config/(users|brokers)(?:/|$)")
_USER_QUOTAS = {
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
    "connection_creation_rate",
}
_SECRET_KEY = re.compile(
    r"passw|pwd|secret|credential|jaas|passphrase|license|user\.info|auth\.header|connection\.string|keystore\.(key|certificate)|truststore\.certificate"
    r"|(^|[._-])(token|key|apikey)$",
    re.IGNORECASE,
)
_SECRET_VALUE = re.compile(r"encryptedPassword:|stored_key=|server_key=")
_SCRAM_MECHANISMS = {"SCRAM-SHA-256", "SCRAM-SHA-512"}
_SCRAM_FIELDS = {"salt", "stored_key", "server_key", "iterations"}


def redact_path(path: str, czxid: int | None, fingerprint: Fingerprint) -> str:
    """The path with a delegation token's id replaced.

    Without a fingerprint key all ids would look alike, so `czxid` keeps them apart; where that is not known either
    it is the path of all tokens, since nobody can say which one it is.
    """
    match = _TOKEN.match(path) if _TOKENS in path else None
    if not match:
        return path
    mark = fingerprint(match[2])
    if mark == "present":
        if czxid is None:
            return match[1].rstrip("/")
        mark = f"present-{czxid}"
    return match[1] + mark + match[3]


def redact_data(path: str, data: bytes, fingerprint: Fingerprint) -> str | None:
    """The data with its secrets replaced, or None where it holds none."""
    if _TOKEN_CHANGES in path:
        return fingerprint(_text(data))
    if _TOKENS in path:
        return _redact_json(data, _redact_token, fingerprint) or fingerprint(_text(data))
    if _CONFIG not in path:
        return None
    family = _SENSITIVE_CONFIG.search(path)
    if not family and not path.startswith(_CONFIG):
        return None
    is_secret = _OF_FAMILY[family[1]] if family else _is_secret
    redacted = _redact_json(
        data, lambda document, mark: _redact_config(document, is_secret, mark), fingerprint
    )
    if redacted is None and (family or _is_secret(_text(data), data)):
        return fingerprint(_text(data))
    return redacted or None


def _redact_json(
    data: bytes, redact: Callable[[Any, Fingerprint], Any], fingerprint: Fingerprint
) -> str | None:
    """The redacted JSON; empty when nothing was replaced, None when it is not the JSON that was expected."""
    try:
        document = json.loads(data.decode(), object_pairs_hook=_unique_keys)
        redacted = redact(document, fingerprint)
    except (ValueError, TypeError, RecursionError):
        return None
    if redacted == document:
        return ""
    return json.dumps(redacted, separators=(",", ":"))


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key is there twice, and only one of its values would be looked at")
    return document


def _redact_token(document: Any, fingerprint: Fingerprint) -> Any:
    if not isinstance(document, dict):
        raise TypeError("a token is a JSON object")
    known = {
        "version",
        "owner",
        "tokenRequester",
        "renewers",
        "issueTimestamp",
        "maxTimestamp",
        "expiryTimestamp",
    }
    return {key: value if key in known else _mark(value, fingerprint) for key, value in document.items()}


def _redact_config(document: Any, is_secret: Callable[[str, Any], bool], fingerprint: Fingerprint) -> Any:
    if not isinstance(document, dict) or not isinstance(document.get("config", {}), dict):
        raise TypeError("a config is a JSON object with an object of configs")
    redacted = {
        key: value if key in ("version", "config") or not is_secret(key, value) else _mark(value, fingerprint)
        for key, value in document.items()
    }
    if "config" in document:
        redacted["config"] = {
            key: _mark_config(key, value, fingerprint) if is_secret(key, value) else value
            for key, value in document["config"].items()
        }
    return redacted


def _mark_config(key: str, value: Any, fingerprint: Fingerprint) -> str | None:
    """A SCRAM credential keeps its iterations, which the Admin API tells everybody too (KIP-554)."""
    mark = _mark(value, fingerprint)
    iterations = _iterations(value) if key in _SCRAM_MECHANISMS and isinstance(value, str) else None
    return f"{mark},iterations={iterations}" if iterations else mark


def _iterations(credential: str) -> str | None:
    """The iterations of a whole credential (`ScramCredentialUtils.credentialFromString`), else None."""
    fields = dict(field.partition("=")[::2] for field in credential.split(","))
    is_whole = fields.keys() == _SCRAM_FIELDS and re.fullmatch(r"[0-9]{1,9}", fields["iterations"])
    return fields["iterations"] if is_whole else None


def _is_secret_of_a_user(key: str, _value: Any) -> bool:
    return key not in _USER_QUOTAS


def _is_secret_of_a_broker(key: str, value: Any) -> bool:
    return not is_shown(key) or _is_secret(key, value)


def _is_secret(key: str, value: Any) -> bool:
    """By the end of its key or the look of its value; a nested value cannot be told, so it is one."""
    if isinstance(value, dict | list):
        return True
    return bool(_SECRET_KEY.search(key) or _SECRET_VALUE.search(str(value)))


_OF_FAMILY = {"users": _is_secret_of_a_user, "brokers": _is_secret_of_a_broker}


def _mark(value: Any, fingerprint: Fingerprint) -> str | None:
    if value is None:
        return None
    return fingerprint(value if isinstance(value, str) else json.dumps(value))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode()
