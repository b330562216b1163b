"""Replaces the secrets in Kafka's znodes by fingerprints.

Kafka keeps secrets below the paths in `kafka.zk.ZkData.SensitiveRootPaths`: `/config/users` (SCRAM credentials),
`/config/brokers` (encrypted passwords) and `/delegation_token/tokens`. The id of a token is half of a credential. The
notifications below `/delegation_token/token_changes` carry it too, and so do the ACLs on a token, in their path
(`kafka.zk.ResourceZNode`) and in the notifications of their changes (`kafka.zk.ZkAclStore`). Without
`zookeeper.set.acl` everybody can read these znodes, so the path decides what is secret and not the ACL.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from jobs.sources.zookeeper.sensitive_configs import IS_SECRET, looks_secret

Fingerprint = Callable[[str], str]

_TOKENS = "/delegation_token/tokens/"
_TOKEN_ACLS = "/DelegationToken/"
_TOKEN = re.compile(rf"^(.*?(?:{_TOKENS}|/kafka-acl(?:-extended/[^/]+)?{_TOKEN_ACLS}))([^/]+)(.*)$")
_EVERY_TOKEN = "*"
_TOKEN_CHANGES = "/delegation_token/token_changes/"
_ACL_CHANGES = re.compile(r"/kafka-acl(?:-extended)?-changes/")
_TOKEN_RESOURCE = "DELEGATION_TOKEN"
_CONFIG = "/config/"
_SENSITIVE_CONFIG = re.compile(r"/config/(users|brokers)(?:/|$)")
_SCRAM_MECHANISMS = {"SCRAM-SHA-256", "SCRAM-SHA-512"}
_SCRAM_FIELDS = {"salt", "stored_key", "server_key", "iterations"}


def redact_path(path: str, czxid: int | None, fingerprint: Fingerprint) -> str:
    """The path with the id of a delegation token replaced by its fingerprint.

    Without a fingerprint key all tokens would have the same path, so `czxid` is added. Where `czxid` is unknown too, the
    result is the path above all tokens, since it cannot be said which of them is meant.
    """
    match = _TOKEN.match(path) if _TOKENS in path or _TOKEN_ACLS in path else None
    if not match or match[2] == _EVERY_TOKEN:
        return path
    mark = fingerprint(match[2])
    if mark == "present":
        if czxid is None:
            return match[1].rstrip("/")
        mark = f"present-{czxid}"
    return match[1] + mark + match[3]


def redact_data(path: str, data: bytes, fingerprint: Fingerprint) -> str | None:
    """The data with its secrets replaced by fingerprints, or None when it holds no secret.

    Data that is not the JSON Kafka writes there is replaced whole when its path is a sensitive one or its text looks like
    a secret.
    """
    if _TOKEN_CHANGES in path:
        return fingerprint(_text(data))
    if _TOKENS in path:
        return _redact_json(data, _redact_token, fingerprint) or fingerprint(_text(data))
    if _ACL_CHANGES.search(path):
        return _redact_acl_change(data, fingerprint)
    if _CONFIG not in path:
        return None
    family = _SENSITIVE_CONFIG.search(path)
    if not family and not path.startswith(_CONFIG):
        return None
    is_secret = IS_SECRET[family[1]] if family else looks_secret
    redacted = _redact_json(
        data, lambda document, mark: _redact_config(document, is_secret, mark), fingerprint
    )
    if redacted is None and (family or looks_secret(_text(data), data)):
        return fingerprint(_text(data))
    return redacted or None


def _redact_json(
    data: bytes, redact: Callable[[Any, Fingerprint], Any], fingerprint: Fingerprint
) -> str | None:
    """The redacted JSON; empty when there was nothing to replace, None when the data is not the expected JSON."""
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
        raise ValueError("a key occurs twice, and only one of its values would be judged")
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


def _redact_acl_change(data: bytes, fingerprint: Fingerprint) -> str | None:
    """`DELEGATION_TOKEN:<id>`, or a JSON object with the `name` of a resource; other resources hold no secret."""
    text = _text(data)
    if _TOKEN_RESOURCE not in text:
        return None
    kind, separator, token = text.partition(":")
    if kind == _TOKEN_RESOURCE and separator:
        return f"{kind}:{token if token == _EVERY_TOKEN else fingerprint(token)}"
    return _redact_json(data, _redact_name, fingerprint) or fingerprint(text)


def _redact_name(document: Any, fingerprint: Fingerprint) -> Any:
    if not isinstance(document, dict) or document.keys() - {"version", "resourceType", "name", "patternType"}:
        raise TypeError("a change of ACLs is a JSON object with the resource")
    return document | {"name": _mark(document.get("name"), fingerprint)}


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
    """The fingerprint of a config; a SCRAM credential keeps its iterations, which the Admin API shows too (KIP-554)."""
    mark = _mark(value, fingerprint)
    iterations = _iterations(value) if key in _SCRAM_MECHANISMS and isinstance(value, str) else None
    return f"{mark},iterations={iterations}" if iterations else mark


def _iterations(credential: str) -> str | None:
    """The iterations of a complete credential (`ScramCredentialUtils.credentialFromString`), else None."""
    fields = dict(field.partition("=")[::2] for field in credential.split(","))
    is_whole = fields.keys() == _SCRAM_FIELDS and re.fullmatch(r"[0-9]{1,9}", fields["iterations"])
    return fields["iterations"] if is_whole else None


def _mark(value: Any, fingerprint: Fingerprint) -> str | None:
    if value is None:
        return None
    return fingerprint(value if isinstance(value, str) else json.dumps(value))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode()
