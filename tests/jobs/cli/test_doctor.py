"""What `varve doctor` finds on this machine, and how it tries clusters that do not answer."""

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobs.cli.doctor import examine


def test_jars_that_are_missing_are_told_and_not_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters: [{name: a, log_dirs: [{broker: 1, local: [/x]}]}]"
    )
    probes = list(examine(tmp_path / "varve.yaml"))
    (jars,) = [probe for probe in probes if "Delta" in probe.what]
    assert (jars.ok, jars.message.split(":")[0]) == (False, "the jars are not here yet")
    assert not (tmp_path / "cache").exists()
    assert not (tmp_path / "lake").exists()


def test_what_is_wrong_comes_first_and_otherwise_the_order_is_that_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "d0").mkdir()
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters:\n"
        "  - {name: b, log_dirs: [{broker: 1, local: [/not/1]}]}\n"
        f"  - {{name: a, log_dirs: [{{broker: 1, local: [{tmp_path}/d0, /not/2]}}], zookeeper: {{connect: '127.0.0.1:1'}}}}\n"
    )
    probes = examine(tmp_path / "varve.yaml")
    wrong = [probe for probe in probes if not probe.ok]
    assert probes[: len(wrong)] == wrong
    of_clusters = [probe.what for probe in wrong if probe.what[:3] in ("a: ", "b: ")]
    assert of_clusters == [
        "b: log dir /not/1 of broker 1",
        f"a: log dir {tmp_path}/d0 of broker 1",
        "a: log dir /not/2 of broker 1",
        "a: ZooKeeper 127.0.0.1:1",
    ]
    assert [probe.what for probe in probes[len(wrong) :]][-2:] == ["settings", "lake"]


def test_clusters_that_do_not_answer_are_waited_for_side_by_side(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        clusters = [
            f"  - {{name: c{n}, kafka: {{bootstrap_servers: '{address}', timeout_s: 3}}}}\n" for n in range(6)
        ]
        (tmp_path / "varve.yaml").write_text("lake: ./lake\nclusters:\n" + "".join(clusters))
        started = time.monotonic()
        probes = examine(tmp_path / "varve.yaml")
    assert time.monotonic() - started < 12
    assert [probe.what for probe in probes if not probe.ok and "Kafka" in probe.what] == [
        f"c{n}: Kafka at {address}" for n in range(6)
    ]


def test_wrong_settings_are_one_row_and_the_exit_code_is_1(varve: Callable[..., Any], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("lake: ./lake\nclusters: []\n")
    ended = varve("--config", str(wrong), "doctor", "--format", "csv")
    assert ended.code == 1
    header, first, *_ = ended.out.splitlines()
    assert (header, first.split(",")[:2]) == ("what,ok,message", ["settings", "false"])


def test_a_spark_cluster_that_does_not_answer_is_told(tmp_path: Path) -> None:
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nspark: {master: 'spark://127.0.0.1:1', lake_is_mounted: true}\n"
        "clusters: [{name: a, log_dirs: [{broker: 1, local: [/x]}]}]"
    )
    (spark,) = [probe for probe in examine(tmp_path / "varve.yaml") if probe.what == "Spark"]
    assert not spark.ok
    assert spark.message.startswith(
        "No master of Spark answers at spark://127.0.0.1:1 (127.0.0.1:1: Connection refused)"
    )
