"""Fetches jars from Maven Central with the Ivy that PySpark brings, into a cache shared by all checkouts."""

import fcntl
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from jobs.errors import VarveError
from jobs.machine.java import find_java

log = logging.getLogger(__name__)

_TIMEOUT_S = 900
DELTA_VERSION = "4.4.0"
_ALONE = ["-notransitive"]
_DELTA = (f"io.delta:delta-spark_4.1_2.13:{DELTA_VERSION}", f"io.delta:delta-storage:{DELTA_VERSION}")


class JarsMissingError(VarveError):
    """Jars could not be fetched."""


def fetch(coordinate: str) -> list[Path]:
    """The jars of `group:artifact:version` and of everything it needs to run, fetched once and then kept.

    Raises JarsMissingError when Maven Central cannot be reached or has no such thing.
    """
    return _fetch(coordinate, [])


def fetch_alone(coordinate: str) -> list[Path]:
    """The jar of `group:artifact:version` without what it needs; raises as `fetch` does."""
    return _fetch(coordinate, _ALONE)


def delta_jars() -> list[Path]:
    """The jars of Delta Lake that Spark lacks, for `spark.jars`."""
    return [jar for coordinate in _DELTA for jar in fetch_alone(coordinate)]


def delta_jars_are_there() -> bool:
    """Whether the jars of Delta Lake were fetched already."""
    return all(_folder(coordinate, _ALONE).exists() for coordinate in _DELTA)


def _fetch(coordinate: str, options: list[str]) -> list[Path]:
    folder = _folder(coordinate, options)
    if not folder.exists():
        with _one_process_at_a_time():
            if not folder.exists():
                _retrieve(coordinate, options, folder)
    return sorted(folder.glob("*.jar"))


def _folder(coordinate: str, options: list[str]) -> Path:
    name = "-".join([*coordinate.split(":"), *(option.strip("-") for option in options)])
    return cache() / "jars" / name


def cache() -> Path:
    """The folder for what is fetched or made once and shared by all checkouts."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "varve"


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    folder = cache() / "jars"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _retrieve(coordinate: str, options: list[str], folder: Path) -> None:
    """Fill `folder` completely or not at all: the jars are fetched into a folder beside it, which is then renamed."""
    for left_behind in folder.parent.glob(".unfinished-*"):
        shutil.rmtree(left_behind, ignore_errors=True)
    log.info("fetching %s from Maven Central", coordinate)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder.parent))
    try:
        _run_ivy(coordinate, options, unfinished)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _run_ivy(coordinate: str, options: list[str], into: Path) -> None:
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise JarsMissingError("PySpark is not installed, and its Ivy fetches the jars: run `make setup`")
    command = [str(find_java()), "-cp", str(Path(spec.origin).parent / "jars" / "*"), "org.apache.ivy.Main"]
    command += ["-cache", str(cache() / "ivy"), "-dependency", *coordinate.split(":"), "-confs", "default"]
    command += ["-retrieve", str(into / "[organisation]_[artifact]-[revision].[ext]")]
    # Some of Kafka's dependencies are packaged as bundles, which Ivy leaves out when it is asked for jars alone.
    command += [*options, "-types", "jar", "bundle"]
    try:
        ivy = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise JarsMissingError(_what_to_do(coordinate, f"Ivy did not end within {_TIMEOUT_S} s")) from error
    if ivy.returncode != 0 or not any(into.iterdir()):
        raise JarsMissingError(_what_to_do(coordinate, _complaints(ivy.stdout + ivy.stderr)))


def _complaints(output: str) -> str:
    telling = ("unresolved", "not found", "failed", "exception", "error", "timed out", "unknown")
    lines = [line.strip(" :\t") for line in output.splitlines()]
    told = [line for line in lines if any(word in line.lower() for word in telling)]
    return "\n  ".join(dict.fromkeys(told[-8:])) or "Ivy gave no reason"


def _what_to_do(coordinate: str, reason: str) -> str:
    return (
        f"The jars of {coordinate} could not be fetched from Maven Central into {cache() / 'jars'}:\n  {reason}\n"
        "Check that this machine reaches Maven Central (behind a proxy: "
        "export JAVA_TOOL_OPTIONS='-Dhttps.proxyHost=… -Dhttps.proxyPort=…') and call again; "
        "or copy that folder from a machine that has it."
    )
