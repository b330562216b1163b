import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jobs.machine.jars import JarsMissingError, delta_jars, fetch, fetch_alone

SMALL = "org.slf4j:slf4j-simple:1.7.36"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "varve" / "jars"


def names(jars: list[Path]) -> list[str]:
    return [jar.name for jar in jars]


def test_fetches_a_jar_with_what_it_needs_and_then_keeps_it(cache: Path) -> None:
    first = fetch(SMALL)
    assert names(first) == ["org.slf4j_slf4j-api-1.7.36.jar", "org.slf4j_slf4j-simple-1.7.36.jar"]
    started = time.monotonic()
    assert fetch(SMALL) == first
    assert time.monotonic() - started < 0.05
    assert [folder.name for folder in cache.iterdir() if folder.is_dir()] == ["org.slf4j-slf4j-simple-1.7.36"]


def test_two_processes_at_once_get_the_same_jar_alone(cache: Path) -> None:
    code = f"from jobs.machine.jars import fetch_alone; print(fetch_alone({SMALL!r})[0])"
    (cache / ".unfinished-of-a-crash").mkdir(parents=True)
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told = {process.communicate(timeout=120)[0].strip() for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert not list(cache.glob(".unfinished-*"))
    assert told == {
        str(cache / "org.slf4j-slf4j-simple-1.7.36-notransitive" / "org.slf4j_slf4j-simple-1.7.36.jar")
    }


def test_what_does_not_exist_is_named_and_leaves_nothing_behind(cache: Path) -> None:
    with pytest.raises(JarsMissingError, match=r"org\.slf4j:slf4j-simple:0\.0\.0 could not be fetched"):
        fetch_alone("org.slf4j:slf4j-simple:0.0.0")
    assert [path.name for path in cache.iterdir()] == [".lock"]


def test_an_unreachable_maven_central_says_where_and_what_to_do(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=1"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"{os.environ.get('JAVA_TOOL_OPTIONS', '')} {nowhere}")
    with pytest.raises(JarsMissingError) as raised:
        fetch_alone(SMALL)
    message = str(raised.value)
    assert "Check that this machine reaches Maven Central" in message
    assert str(cache) in message


def test_delta_needs_two_jars_beside_sparks_own() -> None:
    assert names(delta_jars()) == [
        "io.delta_delta-spark_4.1_2.13-4.4.0.jar",
        "io.delta_delta-storage-4.4.0.jar",
    ]
