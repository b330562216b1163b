"""Finds the `server.properties` of brokers and controllers on this machine and reads them."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from jobs.errors import UsageError
from jobs.init.node import Node, node_of
from jobs.sources.log_dirs.formats.java_text import ParseError, parse_properties

USUAL_PLACES = (
    "/etc/kafka/server.properties",
    "/etc/kafka/kraft/server.properties",
    "/opt/kafka/config/server.properties",
    "/opt/kafka/config/kraft/server.properties",
    "/usr/local/etc/kafka/server.properties",
    "/opt/homebrew/etc/kafka/server.properties",
)
_MAIN_CLASSES = ("kafka.Kafka", "io.confluent.support.metrics.SupportedKafka")
_SAYS_IT_IS_KAFKA = {"broker.id", "node.id", "process.roles", "zookeeper.connect", "log.dirs", "listeners"}


def read_node(path: Path) -> Node:
    """The node that a file configures. Raises UsageError when the file cannot be read or is not Kafka's."""
    try:
        properties = parse_properties(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read ({error.strerror}): run as a user who may read it, or give a copy with --properties"
        ) from error
    except ParseError as error:
        raise UsageError(f"{path} is no file of Java properties: {error}") from error
    if not _SAYS_IT_IS_KAFKA & properties.keys():
        raise UsageError(
            f"{path} is no server.properties of Kafka: it sets none of {', '.join(sorted(_SAYS_IT_IS_KAFKA))}"
        )
    return node_of(properties, is_file_here=True)


def files_of_processes(processes: Path = Path("/proc")) -> list[Path]:
    """The files with which brokers and controllers were started that run on this machine (Linux)."""
    return list(dict.fromkeys(_started_with(processes)))


def _started_with(processes: Path) -> Iterator[Path]:
    for process in sorted(processes.glob("[0-9]*")):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        for main, file in pairwise(words):
            if main in _MAIN_CLASSES and file:
                yield _folder(process) / file


def _folder(process: Path) -> Path:
    """The folder that a process works in, which only its own user and root may see."""
    try:
        return (process / "cwd").readlink()
    except OSError:
        return Path("/")
