"""Kafka's 128-bit ids (`org.apache.kafka.common.Uuid`): URL-safe base64 without padding, 22 characters."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache

from jobs.sources.log_dirs.formats.java_text import ParseError

ZERO = "AAAAAAAAAAAAAAAAAAAAAA"

_FORM = re.compile(r"[A-Za-z0-9_-]{22}(==)?")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_=-]")


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The one way Kafka writes the id that `text` decodes to.

    `Uuid.fromString` ignores the four spare bits of the last character, so that four texts are the same id.
    Raises ParseError where Kafka throws IllegalArgumentException.
    """
    if not _FORM.fullmatch(text):
        raise ParseError(f"IllegalArgumentException: {_complaint(text)}")
    return urlsafe_b64encode(urlsafe_b64decode(text[:22] + "==")).decode().rstrip("=")


def _complaint(text: str) -> str:
    if len(text) > 24:
        return f"Input string with prefix `{text[:24]}` is too long to be decoded as a base64 UUID"
    if illegal := _ILLEGAL.search(text):
        return f"Illegal base64 character {ord(illegal[0]):x}"
    if "=" in text:
        return "Input byte array has wrong 4-byte ending unit"
    if len(text) % 4 == 1:
        return "Last unit does not have enough valid bits"
    decoded = len(text) * 6 // 8
    return (
        f"Input string `{text}` decoded as {decoded} bytes, "
        "which is not equal to the expected 16 bytes of a base64-encoded UUID"
    )
