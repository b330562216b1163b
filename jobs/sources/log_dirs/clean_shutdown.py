"""`.kafka_cleanshutdown` (`CleanShutdownFileHandler`): there while a broker is down that went down in order."""

import json


def parse_broker_epoch(content: bytes) -> int | None:
    """The broker's epoch when it went down, -1 in ZooKeeper mode; None before Kafka 3.7, and where Kafka itself
    ignores what the file says: that it exists is what counts."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    epoch = found.get("brokerEpoch") if isinstance(found, dict) else None
    return epoch if type(epoch) is int and -(1 << 63) <= epoch < 1 << 63 else None
