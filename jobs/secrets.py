"""Secrets become fingerprints at collection, before anything is written: a change shows, the value does not."""

import hashlib
import hmac


class Redactor:
    """Replaces secret values. Without a key only the presence of a secret is kept."""

    def __init__(self, key: str | None) -> None:
        self._key = key.encode() if key else None

    def fingerprint(self, secret: str) -> str:
        """`hmac:<32 hex digits>` of the secret under the lake's key, or `present` without a key."""
        if self._key is None:
            return "present"
        return (
            "hmac:"
            + hmac.new(self._key, secret.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()[:32]
        )
