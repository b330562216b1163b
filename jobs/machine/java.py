"""Finds a Java that Spark 4.1 and Kafka both run on."""

import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jobs.errors import VarveError

SUPPORTED = (17, 21)
USUAL_PLACES = (
    "/usr/lib/jvm/*",
    "/opt/java*",
    "/opt/java/*",
    "~/.sdkman/candidates/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk@*",
    "/usr/local/opt/openjdk@*",
)
_TIMEOUT_S = 20
_PROPERTY = r"^\s*{}\s*=\s*(.+?)\s*$"


class JavaMissingError(VarveError):
    """No Java 17 or 21 was found."""


def find_java(usual_places: Sequence[str] = USUAL_PLACES) -> Path:
    """The `java` binary of a Java 17 or 21; its grandparent folder is that Java's home.

    It is the first usable one in JAVA_HOME, in PATH, then in the usual places, which may be patterns.
    Raises JavaMissingError, which says what was found and what to install.
    """
    unusable = {}
    for candidate in _candidates(usual_places):
        version, home = _version_and_home(candidate)
        if version in SUPPORTED:
            return home / "bin" / "java"
        unusable[candidate] = version
    raise JavaMissingError(_what_to_do(unusable))


def _candidates(usual_places: Sequence[str]) -> list[Path]:
    homes = [Path(home) for home in [os.environ.get("JAVA_HOME", "")] if home]
    on_path = [Path(folder) / "java" for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for place in usual_places:
        pattern = Path(place).expanduser().relative_to("/").as_posix()
        homes_there = sorted(Path("/").glob(pattern))
        on_path.extend(home / "bin" / "java" for home in homes_there)
    binaries = [home / "bin" / "java" for home in homes] + on_path
    return [binary for binary in dict.fromkeys(binaries) if os.access(binary, os.X_OK)]


@cache
def _version_and_home(java: Path) -> tuple[int | None, Path]:
    """The feature version and the home that a `java` reports; a shim reports the real home, a broken one no version."""
    try:
        told = subprocess.run(
            [java, "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None, java.parent.parent
    version = re.search(_PROPERTY.format(r"java\.specification\.version"), told.stderr, re.MULTILINE)
    home = re.search(_PROPERTY.format(r"java\.home"), told.stderr, re.MULTILINE)
    if told.returncode != 0 or not version or not home:
        return None, java.parent.parent
    return int(version[1].removeprefix("1.")), Path(home[1])


def _what_to_do(unusable: dict[Path, int | None]) -> str:
    found = [f"Java {version or 'of unknown version'} at {java}" for java, version in unusable.items()]
    return (
        "No Java 17 or 21 was found, and Spark 4.1 needs one of them.\n"
        f"Found: {'; '.join(found) or 'no Java at all'} (looked at JAVA_HOME, PATH and the usual folders).\n"
        "Install one: `sudo apt install openjdk-17-jre-headless` (Debian, Ubuntu), "
        "`brew install openjdk@17` (macOS), `sudo dnf install java-21-openjdk-headless` (Fedora); "
        "or point JAVA_HOME at one that is elsewhere."
    )
