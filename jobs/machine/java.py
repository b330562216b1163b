"""Finds a Java that Spark 4.1 and Kafka both run on."""

import os
import re
import subprocess
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


def find_java() -> Path:
    """The `java` binary of a Java 17 or 21; its grandparent folder is that Java's home.

    The first usable one of JAVA_HOME, PATH and the usual places wins, newer and older ones are passed over.
    Raises JavaMissingError saying what was found and what to install.
    """
    unusable = {}
    for candidate in _candidates():
        version, home = _version_and_home(candidate)
        if version in SUPPORTED:
            return home / "bin" / "java"
        unusable[candidate] = version
    raise JavaMissingError(_what_to_do(unusable))


def _candidates() -> list[Path]:
    homes = [Path(home) for home in [os.environ.get("JAVA_HOME", "")] if home]
    on_path = [Path(folder) / "java" for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for place in USUAL_PLACES:
        pattern = Path(place).expanduser().relative_to("/").as_posix()
        homes_there = sorted(Path("/").glob(pattern))
        on_path.extend(home / "bin" / "java" for home in homes_there)
    binaries = [home / "bin" / "java" for home in homes] + on_path
    return [binary for binary in dict.fromkeys(binaries) if os.access(binary, os.X_OK)]


@cache
def _version_and_home(java: Path) -> tuple[int | None, Path]:
    """The feature version and the home a `java` tells of itself; a shim tells its real home. No version: broken."""
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
        "No Java 17 or 21 was found, and Spark 4.1 runs on no other.\n"
        f"Found: {'; '.join(found) or 'no Java at all'} (looked at JAVA_HOME, PATH and the usual folders).\n"
        "Install one: `sudo apt install openjdk-17-jre-headless` (Debian, Ubuntu), "
        "`brew install openjdk@17` (macOS), `sudo dnf install java-21-openjdk-headless` (Fedora); "
        "or point JAVA_HOME at one that is elsewhere."
    )
