"""`.kafka_cleanshutdown` (`CleanShutdownFileHandler`): there while a broker is down that went down in order."""

import json
from typing import Any

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_int


def parse_broker_epoch(content: bytes) -> int | None:
    """The broker's epoch when it went down, -1 in ZooKeeper mode; None before Kafka 3.7, and where Kafka itself
    ignores what the file says: that it exists is what counts."""
    try:
        found, _ = json.JSONDecoder().raw_decode(content.decode())
        return _number(found["brokerEpoch"]) if _number(found.get("version", 0)) is not None else None
    except (ValueError, RecursionError, ParseError, TypeError, AttributeError, KeyError, OverflowError):
        return None


def _number(value: Any) -> int | None:
    """A number as Jackson makes it of a JSON value. Raises ParseError where it makes none."""
    if isinstance(value, bool) or value is None:
        return None
    return parse_int(value if isinstance(value, str) else str(int(value)), 64)
