from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jobs.machine.java import JavaMissingError
from jobs.machine.java import find_java as find_java_among

VERSIONS = {
    8: ("1.8", 'openjdk version "1.8.0_392"\nOpenJDK Runtime Environment (Temurin)(build 1.8.0_392-b08)'),
    17: ("17", 'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian)'),
    21: (
        "21",
        'java version "21.0.2" 2024-01-16 LTS\nJava(TM) SE Runtime Environment (build 21.0.2+13-LTS-58)',
    ),
    25: ("25", 'openjdk version "25.0.1" 2025-10-21 LTS\nOpenJDK Runtime Environment Temurin-25.0.1+8'),
}


def install(home: Path, version: int, *, shim: Path | None = None) -> Path:
    """A `java` that tells what a real one of that version tells; a shim tells another one's home."""
    specification, text = VERSIONS[version]
    binary = home / "bin" / "java"
    binary.parent.mkdir(parents=True)
    told = f"Property settings:\n    java.home = {shim or home}\n    java.specification.version = {specification}\n"
    binary.write_text(f"#!/bin/sh\n/bin/cat >&2 <<'END'\n{told}\n{text}\nEND\n")
    binary.chmod(0o755)
    return binary


@pytest.fixture(autouse=True)
def _a_machine_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


@pytest.fixture
def find_java(tmp_path: Path) -> Callable[[], Path]:
    """Finds a Java on this machine, where only the folder `usual` holds usual places."""
    return partial(find_java_among, [f"{tmp_path}/usual/*"])


@pytest.mark.parametrize("version", [17, 21])
def test_takes_a_17_or_21_on_the_path(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    binary = install(tmp_path / "jdk", version)
    monkeypatch.setenv("PATH", str(binary.parent))
    assert find_java() == binary


def test_takes_java_home_before_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    wanted = install(tmp_path / "home", 21)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(install(tmp_path / "other", 17).parent))
    assert find_java() == wanted


def test_passes_over_a_25_that_comes_first_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    too_new = install(tmp_path / "jdk25", 25)
    wanted = install(tmp_path / "jdk17", 17)
    monkeypatch.setenv("PATH", f"{too_new.parent}:{wanted.parent}")
    assert find_java() == wanted


def test_finds_a_17_in_the_usual_places_when_java_home_is_a_25(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    install(tmp_path / "jdk25", 25)
    wanted = install(tmp_path / "usual" / "java-17-openjdk", 17)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk25"))
    assert find_java() == wanted


def test_gives_the_real_binary_behind_a_version_manager_shim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    real = install(tmp_path / "versions" / "21", 21)
    shim = install(tmp_path / "shims", 21, shim=real.parent.parent)
    monkeypatch.setenv("PATH", str(shim.parent))
    assert find_java() == real


def test_passes_over_a_java_that_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    broken = tmp_path / "broken" / "java"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'The operation could not be completed' >&2\nexit 1\n")
    broken.chmod(0o755)
    wanted = install(tmp_path / "usual" / "jdk", 17)
    monkeypatch.setenv("PATH", str(broken.parent))
    assert find_java() == wanted


def test_says_what_was_found_and_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find_java: Callable[[], Path]
) -> None:
    old, new = install(tmp_path / "jdk8", 8), install(tmp_path / "jdk25", 25)
    monkeypatch.setenv("PATH", f"{old.parent}:{new.parent}")
    with pytest.raises(JavaMissingError) as raised:
        find_java()
    message = str(raised.value)
    assert f"Java 8 at {old}; Java 25 at {new}" in message
    assert "apt install openjdk-17-jre-headless" in message
    assert "brew install openjdk@17" in message
    assert "dnf install java-21-openjdk-headless" in message


def test_says_so_when_there_is_no_java_at_all(find_java: Callable[[], Path]) -> None:
    with pytest.raises(JavaMissingError, match="Found: no Java at all"):
        find_java()
