"""Free ports on 127.0.0.1."""

import random
import socket

HOST = "127.0.0.1"
# Below what Linux and macOS give to outgoing connections, so that a server that is
# restarted later finds its port as free as it left it.
_RANGE = range(15_000, 30_000)
_given: set[int] = set()


def free_port() -> int:
    """A port that nobody listens on, given out once in the life of this process."""
    for port in random.sample(_RANGE, len(_RANGE)):
        if port not in _given and _is_free(port):
            _given.add(port)
            return port
    raise OSError(f"no free port between {_RANGE.start} and {_RANGE.stop} on {HOST}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
